import type { ServiceContext } from "../kernel/context";
import type { StaffIdentity } from "../kernel/trpc-context";
import type { SavedView } from "./console-schema";

/** The user's own saved views, by name. */
export async function listViews({
  db,
  staff,
}: ServiceContext & { staff: StaffIdentity }): Promise<SavedView[]> {
  return await db.sql<SavedView[]>`
    select v.id, v.name, v.query from saved_views v join staff p on p.id = v.staff_id
    where p.email = ${staff.email} order by lower(v.name), v.id`;
}
