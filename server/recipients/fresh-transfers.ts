import type { Sql } from "postgres";

/** Newer batches than the recipient index that one query looks through. Beyond them its answer says what it lacks. */
const FRESH_BATCHES_MAX = 500;
const FRESH_TRANSFERS_MAX = 100_000;

/**
 * Common table expressions for queries by recipient. `reach`: whether the batches newer than the index are few enough
 * to be looked through, and up to when the index is complete. `fresh`: their transfers to the address.
 */
export function freshTransfers(sql: Sql, address: Buffer) {
  // OFFSET keeps each look-up a look-up: a join could turn into a scan of all transfers.
  return sql`
    newer_batches as materialized (
      select contract_address, seq, created_at, transfer_count from batches
      where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      order by created_at, seq limit ${FRESH_BATCHES_MAX + 1}
    ), reach as materialized (
      select count(*) <= ${FRESH_BATCHES_MAX} and coalesce(sum(transfer_count), 0) <= ${FRESH_TRANSFERS_MAX} as is_whole,
        (select created_at from recipient_progress) as indexed_until
      from newer_batches
    ), fresh as materialized (
      select n.created_at, n.seq as batch_seq, n.contract_address, t.points
      from reach r join newer_batches n on r.is_whole cross join lateral (
        select points from transfers
        where batch_seq = n.seq and contract_address = n.contract_address and to_address = ${address} offset 0
      ) t
    )`;
}
