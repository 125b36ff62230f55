import type { ServiceContext } from "../kernel/context";
import type { SeenInput } from "./console-schema";

/** Notes that a person has seen alerts. The first time counts. Alerts that no longer exist are ignored. */
export async function markSeen(
  { db: { sql } }: ServiceContext,
  email: string,
  { alertIds }: SeenInput,
): Promise<void> {
  await sql`
    insert into alert_views (alert_id, seen_by)
    select id, ${email}::text from alerts where id = any(${alertIds}::uuid[])
    on conflict (alert_id, seen_by) do nothing`;
}
