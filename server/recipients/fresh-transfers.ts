import type { Sql } from "postgres";
import { PACKED_COLUMNS, unpacked } from "../ledger/packed-transfers";

/** Newer batches than the recipient index that one query looks through. Beyond them its answer says what it lacks. */
const FRESH_BATCHES_MAX = 500;
const FRESH_TRANSFERS_MAX = 100_000;

/**
 * Common table expressions for queries by recipient. `reach`: whether the batches newer than the index are few enough
 * to be looked through, and up to when the index is complete. `fresh`: their transfers to the address.
 */
export function freshTransfers(sql: Sql, address: Buffer) {
  return sql`
    newer_batches as materialized (
      select contract_address, seq, created_at, transfer_count from batches
      where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      order by created_at, seq limit ${FRESH_BATCHES_MAX + 1}
    ), reach as materialized (
      select count(*) <= ${FRESH_BATCHES_MAX} and coalesce(sum(transfer_count), 0) <= ${FRESH_TRANSFERS_MAX} as is_whole,
        (select created_at from recipient_progress) as indexed_until
      from newer_batches
    ), searched_batches as materialized (
      select n.contract_address, n.seq, n.created_at from reach r join newer_batches n on r.is_whole
    ), ${transfersTo(sql, address, "searched_batches")}`;
}

/**
 * Common table expressions that end in `fresh`: the transfers of some batches to an address. The bytes of the address are
 * looked for first, as one piece of a row's addresses; only rows that have them are unpacked, since they may also be the end
 * of one address and the beginning of the next.
 * @param batches a materialized part of the statement with `contract_address`, `seq` and `created_at`
 */
export function transfersTo(sql: Sql, address: Buffer, batches: string) {
  // Materialized before it is searched: pushed into the scan, the search would read the addresses of every batch there is.
  // `any(array(…))` makes the planner look the batches up by key. It expects many more than there are, and would scan all.
  return sql`
    searched as materialized (
      select n.created_at, t.contract_address, t.batch_seq, t.addresses, t.points
      from ${sql(batches)} n join batch_transfers t on t.batch_seq = n.seq and t.contract_address = n.contract_address
      where t.batch_seq = any(array(select seq from ${sql(batches)}))
    ), hits as materialized (
      select t.created_at, ${sql.unsafe(PACKED_COLUMNS)} from searched t where position(${address}::bytea in t.addresses) > 0
    ), fresh as materialized (
      select created_at, batch_seq, contract_address, points
      from (${unpacked(sql, "hits", "p.created_at, p.batch_seq, p.contract_address")}) as transfers
      where to_address = ${address}
    )`;
}
