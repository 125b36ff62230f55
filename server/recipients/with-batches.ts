import type { Sql } from "postgres";

/**
 * Transfers with details of their batches, each looked up by key. GROUP BY the key prevents a join of whole tables. OFFSET 0
 * would do the same, but Citus does not support it there.
 * @param transfers name of a materialized CTE with `created_at`, `batch_seq`, `contract_address` and `points`, aliased as `t`
 */
export const withBatches = (sql: Sql, transfers: string) => sql`
  select t.created_at, t.batch_seq, t.contract_address, t.points, b.label, b.id, b.point_type, b.status, b.finalize_at, b.held_at
  from ${sql(transfers)} t cross join lateral (
    select b.id, b.point_type, b.status, b.finalize_at, b.held_at, c.label
    from batches b join contracts c on c.address = b.contract_address
    where b.contract_address = t.contract_address and b.seq = t.batch_seq
    group by b.contract_address, b.seq, c.address
  ) b`;
