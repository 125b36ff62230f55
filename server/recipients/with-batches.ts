import type { Sql } from "postgres";
import { OVERDUE_AFTER_SECONDS } from "@/server/kernel/values/batch-terms";
import { boundAfter, boundBefore } from "@/server/kernel/values/fields";
import { addressToBytes } from "../kernel/values/addresses";
import type { ReceivedFilters } from "./console-schema";

/**
 * Transfers with details of their batches, each looked up by key, and whether they match the filters. GROUP BY the key
 * prevents a join of whole tables. OFFSET 0 would do the same, but Citus does not support it there.
 * @param transfers name of a materialized CTE with `created_at`, `batch_seq`, `contract_address` and `points`, aliased as `t`
 */
export const withBatches = (sql: Sql, transfers: string, filters: Partial<ReceivedFilters> = {}) => sql`
  select t.created_at, t.batch_seq, t.contract_address, t.points, b.label, b.id, b.point_type, b.status, b.finalize_at,
    b.held_at, b.awaits_approval, b.held_by, b.hold_reason, b.finalized_at, b.cancelled_at, b.cancelled_by, b.cancel_reason,
    b.reverses_seq is not null as is_reversal,
    ${withinTime(sql, filters)} and ${batchMatches(sql, filters)} as matches
  from ${sql(transfers)} t cross join lateral (
    select b.id, b.point_type, b.status, b.finalize_at, b.held_at, b.awaits_approval, b.held_by, b.hold_reason, b.finalized_at,
      b.cancelled_at, b.cancelled_by, b.cancel_reason, b.reverses_seq, c.label
    from batches b join contracts c on c.address = b.contract_address
    where b.contract_address = t.contract_address and b.seq = t.batch_seq
    group by b.contract_address, b.seq, c.address
  ) b`;

/** The filters on creation time, for a table or CTE with `created_at`. */
export function withinTime(
  sql: Sql,
  { createdAfter, createdBefore }: Pick<ReceivedFilters, "createdAfter" | "createdBefore">,
) {
  const since = boundAfter(createdAfter);
  const until = boundBefore(createdBefore);
  return sql`${since ? sql`created_at > ${since}::timestamptz` : sql`true`}
    and ${until ? sql`created_at < ${until}::timestamptz` : sql`true`}`;
}

/** All other filters, on a transfer `t` and its batch `b`. */
function batchMatches(sql: Sql, filters: Partial<ReceivedFilters>) {
  const { contractAddress, statuses, pointType, held, awaitingApproval, overdue } = filters;
  const isHeld = sql`(b.status = 'PENDING' and b.held_at is not null)`;
  return sql`${contractAddress ? sql`t.contract_address = ${addressToBytes(contractAddress)}` : sql`true`}
    and ${statuses?.length ? sql`b.status::text = any(${`{${statuses.join(",")}}`}::text::text[])` : sql`true`}
    and ${pointType ? sql`b.point_type = ${pointType}` : sql`true`}
    and ${held ? isHeld : sql`true`}
    and ${awaitingApproval ? sql`(b.status = 'PENDING' and b.awaits_approval)` : sql`true`}
    and ${
      overdue
        ? sql`(b.status in ('PENDING', 'FINALIZING') and not ${isHeld} and not b.awaits_approval
            and b.finalize_at < now() - make_interval(secs => ${OVERDUE_AFTER_SECONDS}))`
        : sql`true`
    }`;
}

/** Whether any filter is set. */
export const isFiltered = ({ address: _, ...filters }: ReceivedFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);
