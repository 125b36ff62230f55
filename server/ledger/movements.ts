import type { PendingQuery, Row, TransactionSql } from "postgres";
import { ADDRESSES_OF, TRANSFERS_OF } from "./packed-transfers";

type Query = PendingQuery<Row[]>;

// The history of balances, as subqueries of address, point_type, earned, received, sent and pending. A
// reversal moves points the other way: recipients sent or reserved them, and the contract received them.

/** Points that contracts sent or reserved, and those they took back. @param condition on `batches b` */
export const movedByContracts = (tx: TransactionSql, condition: Query) => tx`
  select b.contract_address as address, b.point_type,
    0::numeric as earned,
    coalesce(sum(b.points) filter (
      where b.status = 'FINALIZED' and b.reverses_seq is not null), 0) as received,
    coalesce(sum(b.points) filter (where b.status = 'FINALIZED' and b.reverses_seq is null), 0) as sent,
    coalesce(sum(b.points) filter (
      where b.status in ('PENDING', 'FINALIZING') and b.reverses_seq is null), 0) as pending
  from batches b where ${condition} group by b.contract_address, b.point_type`;

/** Points issued to contracts. @param condition on `issuances i` */
export const issued = (tx: TransactionSql, condition: Query) => tx`
  select i.contract_address as address, i.point_type, sum(i.points) as earned,
    0::numeric as received, 0::numeric as sent, 0::numeric as pending
  from issuances i where ${condition} group by i.contract_address, i.point_type`;

/** Payments change recipients' balances when they are finalized, reversals as soon as they reserve points. */
const movesRecipients = (tx: TransactionSql) =>
  tx`(b.status = 'FINALIZED' or b.reverses_seq is not null and b.status in ('PENDING', 'FINALIZING'))`;

/** The sums of a recipient's transfers. @param points an amount's column */
const sumsOf = (tx: TransactionSql, points: string) => tx`
  0::numeric as earned, coalesce(sum(${tx(points)}) filter (where b.reverses_seq is null), 0) as received,
    coalesce(sum(${tx(points)}) filter (
      where b.reverses_seq is not null and b.status = 'FINALIZED'), 0) as sent,
    coalesce(sum(${tx(points)}) filter (
      where b.reverses_seq is not null and b.status <> 'FINALIZED'), 0) as pending`;

/**
 * Points credited to recipients, taken back from them or reserved at them, from the transfers themselves.
 * @param condition on `batches b` and `u.to_address`
 */
export const movedByTransfers = (tx: TransactionSql, condition: Query) => tx`
  select u.to_address as address, b.point_type, ${sumsOf(tx, "u.points")}
  from batches b join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
    ${tx.unsafe(ADDRESSES_OF)} cross join lateral ${tx.unsafe(TRANSFERS_OF)} as u
  where ${movesRecipients(tx)} and ${condition} group by u.to_address, b.point_type`;

/**
 * For some addresses: from the recipient index for indexed batches, from the transfers for newer ones.
 * @param addresses builds a condition on an address column
 */
export const movedByAddresses = (tx: TransactionSql, addresses: (column: string) => Query) => tx`
  select i.to_address as address, b.point_type, ${sumsOf(tx, "i.points")}
  from (
    with indexed as materialized (
      select r.to_address, r.batch_seq, r.contract_address, r.points from recipient_transfers r
      where ${addresses("r.to_address")}
    ) select * from indexed
  ) as i join batches b on b.seq = i.batch_seq and b.contract_address = i.contract_address
  where ${movesRecipients(tx)} group by i.to_address, b.point_type
  union all
  ${movedByTransfers(
    tx,
    tx`(b.created_at, b.seq) > (select p.created_at, p.batch_seq from recipient_progress p)
      and ${addresses("u.to_address")}`,
  )}`;
