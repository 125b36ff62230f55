import type { ServiceContext } from "../kernel/context";
import { toTimestamp } from "../kernel/values/batch-rows";
import { boundAfter, boundBefore } from "../kernel/values/instant-bounds";
import type { AuditEntry, AuditFilters, AuditListInput, AuditPage } from "./console-schema";
import { AUDIT_PAGE_ROWS_MAX } from "./console-schema";

const PAGE_ROWS = 100;

type Row = Omit<AuditEntry, "at" | "requestId"> & { at: string; request_id: string | null };

/** One page of the audit log, newest first. Keyed by insertion order, so that pages never repeat an entry. */
export async function listAudit(ctx: ServiceContext, input: AuditListInput): Promise<AuditPage> {
  const { sql } = ctx.db;
  const limit = input.limit ?? PAGE_ROWS;
  const below = input.cursor ? sql`and id < ${input.cursor}::bigint` : sql``;
  const rows = await sql<Row[]>`
    select id::text, at, actor, action, target, detail, request_id from audit_log
    where ${conditions(ctx, input)} ${below} order by audit_log.id desc limit ${limit + 1}`;
  const shown = rows.slice(0, limit);
  return {
    entries: shown.map(({ request_id: requestId, ...row }) => ({
      ...row,
      at: toTimestamp(row.at),
      requestId,
    })),
    cursor: rows.length > limit ? shown.at(-1)!.id : null,
  };
}

function conditions({ db: { sql } }: ServiceContext, filters: AuditFilters) {
  const { actor, actions, target, requestId } = filters;
  const after = boundAfter(filters.after);
  const before = boundBefore(filters.before);
  return [
    actor && sql`and actor in (${actor}, ${`staff:${actor.toLowerCase()}`})`,
    actions?.length && sql`and action = any(${`{${actions.join(",")}}`}::text::text[])`,
    target && sql`and position(lower(${target}) in lower(target)) > 0`,
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
  let cursor: string | null = null;
  do {
    const page: AuditPage = await listAudit(ctx, { ...filters, limit: AUDIT_PAGE_ROWS_MAX, cursor });
    if (page.entries.length > 0) yield page.entries;
    cursor = page.cursor;
  } while (cursor);
}
