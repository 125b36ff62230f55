import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import type { BatchKey } from "../../kernel/values/batch-schema";
import { shortestPoints } from "../../kernel/values/points";
import { PACKED_COLUMNS, unpacked } from "../../ledger/packed-transfers";
import { findBatch, type StoredBatch } from "../list/get-batch";

/** Number of earlier batches of the same contract and point type to compare with. */
const EARLIER_MAX = 50;
/** An amount is unusual from this many times the previous maximum. */
const FAR_OUT_TIMES = 10;
/** A batch is unusual from this percentage of a PREFUNDED contract's points. */
const LARGE_SHARE_PERCENT = 50;
const REPEATS_MAX = 5;

/** Findings for staff to check before a batch is finalized. Amounts are decimal strings. */
export interface BatchReview {
  /** Number of batches it was compared with. Without any, only new recipients can be unusual. */
  earlierBatches: number;
  recipients: { total: number; new: number };
  largestTransfer: { points: string; before: string | null; isFarOut: boolean };
  total: { points: string; before: string | null; isFarOut: boolean };
  /** Percent of the points that the contract had before this batch; null when points are issued on demand. */
  share: { percent: number; isLarge: boolean } | null;
  /** IDs of the contract's earlier batches with the same content. */
  sameContent: string[];
}

/** Compares a batch with the contract's earlier ones. @throws DomainError `batch_not_found` */
export async function reviewBatch(ctx: ServiceContext, input: BatchKey): Promise<BatchReview> {
  const batch = await findBatch(ctx, input.contractAddress, input.batchId);
  const [amounts, recipients, share, repeats] = await Promise.all([
    compareAmounts(ctx, batch),
    countNewRecipients(ctx, batch),
    shareOfBalance(ctx, batch),
    ctx.db.sql<{ id: string }[]>`
      select id from batches where digest = ${batch.digest} and contract_address = ${addressToBytes(input.contractAddress)}
        and seq < ${String(batch.seq)}::bigint order by seq desc limit ${REPEATS_MAX}`,
  ]);
  return { ...amounts, recipients, share, sameContent: repeats.map(({ id }) => id) };
}

interface Amounts {
  earlier: number;
  largest: string;
  largest_before: string | null;
  total_before: string | null;
  largest_is_far_out: boolean;
  total_is_far_out: boolean;
}

async function compareAmounts(ctx: ServiceContext, batch: StoredBatch) {
  const [row] = await ctx.db.sql<Amounts[]>`
    with earlier as materialized (
      select seq, points from batches
      where contract_address = ${batch.contractAddress} and point_type = ${batch.pointType}::point_type
        and (created_at, seq) < (${batch.createdAt.toISOString()}::timestamptz, ${String(batch.seq)}::bigint)
      order by created_at desc, seq desc limit ${EARLIER_MAX}
    ), before as (
      select (select count(*)::int from earlier) as count, (select max(points) from earlier) as total,
        (select max(amount) from earlier e join batch_transfers t on t.batch_seq = e.seq
            and t.contract_address = ${batch.contractAddress}
          cross join lateral unnest(t.points) as amount) as largest
    ), own as (
      select max(amount) as largest from batch_transfers t cross join lateral unnest(t.points) as amount
      where t.batch_seq = ${String(batch.seq)}::bigint and t.contract_address = ${batch.contractAddress}
    )
    select before.count as earlier, own.largest, before.largest as largest_before, before.total as total_before,
      coalesce(own.largest >= before.largest * ${FAR_OUT_TIMES}::int, false) as largest_is_far_out,
      coalesce(${batch.points}::text::numeric >= before.total * ${FAR_OUT_TIMES}::int, false) as total_is_far_out
    from before, own`;
  const shown = (amount: string | null) => amount && shortestPoints(amount);
  return {
    earlierBatches: row!.earlier,
    largestTransfer: {
      points: shortestPoints(row!.largest),
      before: shown(row!.largest_before),
      isFarOut: row!.largest_is_far_out,
    },
    total: {
      points: shortestPoints(batch.points),
      before: shown(row!.total_before),
      isFarOut: row!.total_is_far_out,
    },
  };
}

/** Recipients that this contract has never paid before, by the recipient index, which lags by a few seconds at most. */
async function countNewRecipients(
  ctx: ServiceContext,
  batch: StoredBatch,
): Promise<BatchReview["recipients"]> {
  const [row] = await ctx.db.sql<{ new: number }[]>`
    with packed as materialized (
      select ${ctx.db.sql.unsafe(PACKED_COLUMNS)} from batch_transfers t
      where t.batch_seq = ${String(batch.seq)}::bigint and t.contract_address = ${batch.contractAddress}
    ), paid as materialized (
      select to_address from (${unpacked(ctx.db.sql, "packed", "p.batch_seq")}) as transfers
    ), paid_before as (
      select count(distinct r.to_address) as count from paid join recipient_transfers r on r.to_address = paid.to_address
      where r.contract_address = ${batch.contractAddress} and r.batch_seq < ${String(batch.seq)}::bigint
    )
    select ((select count(*) from paid) - (select count from paid_before))::int as new`;
  return { total: batch.transferCount, new: row!.new };
}

/** The batch's share of the points that the contract would have without it. Null once the batch is cancelled. */
async function shareOfBalance(ctx: ServiceContext, batch: StoredBatch): Promise<BatchReview["share"]> {
  const [row] = await ctx.db.sql<{ percent: number | null }[]>`
    select least(round(100 * ${batch.points}::text::numeric
        / nullif(a.earned + a.received - a.sent - a.pending + ${batch.points}::text::numeric, 0)), 100)::int as percent
    from accounts a join contracts c on c.address = a.address
    where a.address = ${batch.contractAddress} and a.point_type = ${batch.pointType}::point_type
      and c.issuance = 'PREFUNDED' and ${batch.status} in ('PENDING', 'FINALIZING')`;
  const percent = row?.percent ?? null;
  return percent === null ? null : { percent, isLarge: percent >= LARGE_SHARE_PERCENT };
}
