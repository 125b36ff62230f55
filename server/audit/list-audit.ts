import { z } from "zod";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { allPages } from "@/server/kernel/cursor";
import { boundAfter, boundBefore, RowNumberField, TimestampField, textField } from "@/terms/fields";
import { AUDIT_ACTION_NAMES, type AuditDetail } from "./actions";

const AUDIT_PAGE_ROWS_MAX = 200;
const TextField = textField(1, 320);

export const AuditFilters = z.strictObject({
  /** `ops`, `staff:<email>`, …; a plain email means that team member. */
  actor: TextField.optional(),
  actions: z.array(z.enum(AUDIT_ACTION_NAMES)).max(AUDIT_ACTION_NAMES.length).optional(),
  /** Part of the target, such as an address, a batch ID or an email. */
  target: TextField.optional(),
  requestId: TextField.optional(),
  after: TimestampField.optional(),
  before: TimestampField.optional(),
});
export type AuditFilters = z.output<typeof AuditFilters>;

export const AuditListInput = AuditFilters.extend({
  limit: z.int().min(1).max(AUDIT_PAGE_ROWS_MAX).optional(),
  cursor: RowNumberField.nullish(),
});
export interface AuditEntry {
  id: string;
  at: string;
  /** `staff:<email>`, `ops`, `first-run`, `finalizer`. */
  actor: string;
  action: string;
  /** `batch:<contract>/<id>`, `contract:<address>`, `staff:<email>`, … */
  target: string;
  detail: AuditDetail;
  requestId: string | null;
}

const PAGE_ROWS = 100;
/** About a tenth of a second. */
export const SEARCHED_MAX = 20_000;
const ACTORS_MAX = 200;

/**
 * Newest first, in the order of insertion, so that pages never repeat an entry. A page by a part of a target
 * searches `SEARCHED_MAX` entries at most. It may be empty, and the next one continues.
 */
export async function listAudit(ctx: ServiceContext, input: z.output<typeof AuditListInput>) {
  const { sql } = ctx.db;
  const limit = input.limit ?? PAGE_ROWS;
  const below = input.cursor ? sql`and id < ${input.cursor}::bigint` : sql``;
  const isFound = input.target ? sql`position(lower(${input.target}) in lower(target)) > 0` : sql`true`;
  const read = input.target ? SEARCHED_MAX : limit + 1;
  const rows = await sql<(AuditEntry & { searchedTo: string | null })[]>`
    with read as materialized (
      select id, at, actor, action, target, detail, request_id as "requestId" from audit_log
      where ${conditions(ctx, input)} ${below} order by id desc limit ${read}
    ), reach as (
      select case when count(*) = ${read}::int then min(id)::text end as "searchedTo" from read
    ), found as (select * from read where ${isFound} order by id desc limit ${limit + 1})
    select f.id::text, f.at, f.actor, f.action, f.target, f.detail, f."requestId", r."searchedTo"
    from reach r left join found f on true order by f.id desc`;
  const found = rows.filter(({ id }) => id !== null);
  const shown = found.slice(0, limit).map(({ searchedTo: _, ...entry }) => withTimes(entry, "at"));
  return { entries: shown, cursor: found.length > limit ? shown.at(-1)!.id : rows[0]!.searchedTo };
}

function conditions({ db: { sql } }: ServiceContext, filters: AuditFilters) {
  const { actor, actions, requestId } = filters;
  const after = boundAfter(filters.after);
  const before = boundBefore(filters.before);
  return [
    actor && sql`and actor in (${actor}, ${`staff:${actor.toLowerCase()}`})`,
    actions?.length && sql`and action = any(${`{${actions.join(",")}}`}::text::text[])`,
    requestId && sql`and request_id = ${requestId}`,
    after && sql`and at > ${after}::timestamptz`,
    before && sql`and at < ${before}::timestamptz`,
  ].reduce<ReturnType<typeof sql>>((all, one) => (one ? sql`${all} ${one}` : all), sql`true`);
}

/** Streams the filtered entries, newest first, one page at a time, so that memory stays constant. */
export async function* exportAudit(
  ctx: ServiceContext,
  filters: AuditFilters,
): AsyncGenerator<AuditEntry[], void, undefined> {
  const pages = allPages((cursor: string | null) =>
    listAudit(ctx, { ...filters, limit: AUDIT_PAGE_ROWS_MAX, cursor }),
  );
  for await (const { entries } of pages) yield entries;
}

/** All actors, by name. Skips from actor to actor along the index, since the log may be long. */
export async function listActors(ctx: ServiceContext): Promise<string[]> {
  const rows = await ctx.db.sql<{ actor: string }[]>`
    with recursive actors as (
      (select actor from audit_log order by actor limit 1)
      union all
      select (select l.actor from audit_log l where l.actor > a.actor order by l.actor limit 1)
      from actors a where a.actor is not null
    )
    select actor from actors where actor is not null limit ${ACTORS_MAX}`;
  return rows.map(({ actor }) => actor);
}
