import type { TransactionSql } from "postgres";
import { retryLater } from "@/server/kernel/limits";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { parseSum } from "../kernel/values/points";

/** What a statement covers: `until` is the month's end, or `infinity` while the month lasts. */
export interface Period {
  from: string;
  until: string;
}

/**
 * Points credited to an address before a period's start and before its end, and what reversals of other contracts had reserved
 * at its end. Null while the period lasts: its account has the current figures.
 */
export type Received = (pointType: PointType) => {
  byStart: bigint;
  byEnd: bigint | null;
  reservedAtEnd: bigint | null;
};

/**
 * Reads every transfer that the address had received by then, from the index by recipient. The index has no finalization
 * times, because its rows are written when a batch is created, so each batch is looked up.
 * @throws DomainError `unavailable` while a batch created before the bound is not indexed yet
 */
export async function readReceived(
  tx: TransactionSql,
  address: Buffer,
  { from, until }: Period,
): Promise<Received> {
  const isOver = until !== "infinity";
  const bound = isOver ? until : from;
  const fresh = await tx`
    select 1 from batches where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      and created_at < ${bound}::timestamptz limit 1`;
  if (fresh.length > 0) {
    throw retryLater("The newest batches are not indexed yet. Retry in a few seconds.");
  }
  const rows = await tx<{ point_type: PointType; by_start: string; by_end: string; reserved: string }[]>`
    select b.point_type,
      coalesce(sum(i.points) filter (where b.finalized_at < ${from}::timestamptz and b.reverses_seq is null), 0) as by_start,
      coalesce(sum(i.points) filter (where b.finalized_at < ${bound}::timestamptz and b.reverses_seq is null), 0) as by_end,
      coalesce(sum(i.points) filter (where b.reverses_seq is not null
        and (b.finalized_at < ${bound}::timestamptz or b.cancelled_at < ${bound}::timestamptz) is not true), 0) as reserved
    from (
      with indexed as materialized (
        select batch_seq, contract_address, points from recipient_transfers
        where to_address = ${address} and created_at < ${bound}::timestamptz
      ) select * from indexed
    ) as i join batches b on b.seq = i.batch_seq and b.contract_address = i.contract_address
    where b.status = 'FINALIZED' and b.finalized_at < ${bound}::timestamptz or b.reverses_seq is not null
    group by b.point_type`;
  return (pointType) => {
    const row = rows.find(({ point_type }) => point_type === pointType);
    return {
      byStart: parseSum(row?.by_start ?? "0"),
      byEnd: isOver ? parseSum(row?.by_end ?? "0") : null,
      reservedAtEnd: isOver ? parseSum(row?.reserved ?? "0") : null,
    };
  };
}
