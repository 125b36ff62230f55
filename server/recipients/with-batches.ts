import type { Sql } from "postgres";

/**
 * Transfers with what a reader is told of their batches. Each batch is looked up by its key: GROUP BY that key keeps the
 * planner from joining whole tables instead. OFFSET 0 would do the same, but Citus refuses it there.
 * @param transfers a materialized part of the statement with `created_at`, `batch_seq`, `contract_address` and `points`; it is `t`
 */
export const withBatches = (sql: Sql, transfers: string) => sql`
  select t.created_at, t.batch_seq, t.contract_address, t.points, b.label, b.id, b.point_type, b.status, b.finalize_at, b.held_at
  from ${sql(transfers)} t cross join lateral (
    select b.id, b.point_type, b.status, b.finalize_at, b.held_at, c.label
    from batches b join contracts c on c.address = b.contract_address
    where b.contract_address = t.contract_address and b.seq = t.batch_seq
    group by b.contract_address, b.seq, c.address
  ) b`;
