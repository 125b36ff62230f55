import { randomUUID } from "node:crypto";
import { z } from "zod";
import { audited } from "@/server/audit/audited";
import type { ServiceContext, StaffIdentity } from "@/server/kernel/context";
import { postgresError } from "@/server/kernel/database-errors";
import { invalid } from "@/server/kernel/to-domain-error";
import { textField } from "@/terms/fields";
import { DomainError } from "@/terms/problems";

export const VIEWS_MAX = 50;
const QUERY_CHARS_MAX = 2000;

export const SaveViewInput = z.strictObject({
  name: textField(1, 60),
  query: z
    .string()
    .max(QUERY_CHARS_MAX)
    .regex(/^[\w%.,:;~!*'()@$/?+&=-]*$/, "must be the query of a URL"),
});
export type SaveViewInput = z.output<typeof SaveViewInput>;

export const ViewInput = z.strictObject({ viewId: z.uuid() });
export type ViewInput = z.output<typeof ViewInput>;

export type SavedView = { id: string; name: string; query: string };

type OwnContext = ServiceContext & { staff: StaffIdentity };

export const listViews = async ({ db, staff }: OwnContext): Promise<SavedView[]> =>
  await db.sql<SavedView[]>`
    select v.id, v.name, v.query from saved_views v join staff p on p.id = v.staff_id
    where p.email = ${staff.email} order by lower(v.name), v.id`;

/** @throws DomainError `validation_failed` for a name that is taken, or beyond `VIEWS_MAX` views */
export async function saveView(ctx: OwnContext, { name, query }: SaveViewInput): Promise<SavedView> {
  return await ctx.db.sql.begin(async (tx) => {
    // One person's views are saved one at a time, so that their number stays within the maximum.
    const [person] = await tx<{ id: string }[]>`
      select id from staff where email = ${ctx.staff.email} for no key update`;
    if (!person) throw new DomainError("missing_token", "Your account no longer exists. Sign in again.");
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
      select count(*)::int as count from saved_views where staff_id = ${person.id}`;
    if (count >= VIEWS_MAX)
      throw invalid(
        `You have ${VIEWS_MAX} saved views, which is the maximum. Delete one that you no longer need.`,
      );
    const id = randomUUID();
    // Returns a constant, since Citus can name the table of a returned column wrongly.
    await tx`
      with saved as (
        insert into saved_views (id, staff_id, name, query)
        values (${id}, ${person.id}, ${name}, ${query}) returning 1
      )
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'view.create', ${targetOf(ctx)}, jsonb_build_object('name', ${name}::text),
        ${ctx.requestId}
      from saved`.catch(refuseSameName(name));
    return { id, name, query };
  });
}

/** Deletes one of the user's views. @throws DomainError `not_found` */
export async function deleteView(ctx: OwnContext, { viewId }: ViewInput): Promise<void> {
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('name', name)`;
  const [deleted] = await sql`
    with deleted as (
      delete from saved_views v using staff p
      where v.id = ${viewId} and p.id = v.staff_id and p.email = ${ctx.staff.email}
      returning v.name
    ), ${audited(ctx, { action: "view.delete", target: targetOf(ctx), detail, of: "deleted" })}
    select 1 from deleted`;
  if (!deleted) throw new DomainError("not_found", "The view was not found. Reload the page.");
}

const targetOf = ({ staff }: OwnContext) => `staff:${staff.email}`;

const refuseSameName = (name: string) => (cause: unknown) => {
  if (postgresError(cause)?.constraint !== "saved_views_name") throw cause;
  throw invalid(`You already have a view named “${name}”.`, {
    errors: [{ pointer: "/name", code: "invalid_value", detail: "is the name of another of your views" }],
    cause,
  });
};
