import type { StoredBatch } from "@/server/batches/list/get-batch";
import { findBatch, findCorrected, findList, findTransfers } from "@/server/batches/list/get-batch";
import { readStoredReviews } from "@/server/batches/list/list-console-batches";
import type { SubmitBatchInput } from "@/server/batches/submit/submit-schema";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import type { BatchKey } from "@/terms/batch-schema";
import { HOLDER_REFERENCE_PATTERN } from "@/terms/batch-terms";
import {
  ALARMING_TIMES,
  type BatchReview,
  type ComparedAmount,
  LARGE_SHARE_PERCENT,
  LEVELS,
  type Level,
  MOSTLY_NEW_PERCENT,
  NEW_RECIPIENTS_HISTORY,
  NEW_RECIPIENTS_PERCENT,
  type Repeat,
  UNUSUAL_TIMES,
  type Usual,
} from "@/terms/findings";
import { formatPoints, parsePoints, shortestPoints } from "@/terms/points";
import {
  type Content,
  countNewRecipients,
  earlierFinalized,
  findElsewhere,
  findRepeats,
} from "./find-repeats";

interface Subject extends Content {
  total: string;
  /** If it is one of several batches of a list, the list's. */
  payoutTotal: string | null;
  /** What it has taken of the contract's available points. Null when its share no longer matters. */
  reserved: string | null;
}

type Reader = Pick<ServiceContext, "db">;

/** Without a stored review, the batch is compared now. @throws DomainError `batch_not_found` */
export async function reviewBatch(ctx: ServiceContext, input: BatchKey): Promise<BatchReview> {
  const batch = await findBatch(ctx, input.contractAddress, input.batchId);
  const stored = await readStoredReviews(ctx, [batch]);
  const isOpen = batch.status === "PENDING" || batch.status === "FINALIZING";
  return stored.get(batch.seq) ?? (await reviewStored(ctx, batch, isOpen ? batch.points : null));
}

/** The totals that a batch's own is compared with, smallest first. @throws DomainError `batch_not_found` */
export async function earlierTotals(ctx: ServiceContext, input: BatchKey): Promise<string[]> {
  const batch = await findBatch(ctx, input.contractAddress, input.batchId);
  const rows = await ctx.db.sql<{ points: string }[]>`
    select points from (
      ${earlierFinalized(ctx.db, placeOf(batch))}
    ) as earlier order by points`;
  return rows.map(({ points }) => shortestPoints(points));
}

/** Compares a batch as it was at its submit. Its share is of what the contract has now. */
export const reviewAtSubmit = (ctx: Reader, batch: StoredBatch): Promise<BatchReview> =>
  reviewStored(ctx, batch, batch.status === "CANCELLED" ? "0" : batch.points);

const placeOf = ({ contractAddress: contract, pointType, createdAt, seq }: StoredBatch) => ({
  contract,
  pointType,
  createdAt: createdAt.toISOString(),
  seq: String(seq),
});

async function reviewStored(ctx: Reader, batch: StoredBatch, reserved: string | null): Promise<BatchReview> {
  const key = { ...batch, contractAddress: addressFromBytes(batch.contractAddress) };
  return review(ctx, {
    ...placeOf(batch),
    total: batch.points,
    payoutTotal: (await findList(ctx, key, [batch])).listPoints,
    transfers: await findTransfers(ctx, batch),
    corrects: await findCorrected(ctx, batch),
    reserved,
  });
}

/** Compares a batch that was not submitted yet, by what its dry run returned. */
export async function reviewNewBatch(
  ctx: ServiceContext,
  input: SubmitBatchInput,
  dryRun: { points: string },
): Promise<BatchReview> {
  const subject: Subject = {
    contract: addressToBytes(input.contractAddress),
    pointType: input.pointType,
    total: dryRun.points,
    payoutTotal: ((input.payout?.partCount ?? 1) > 1 && input.payout?.points) || null,
    transfers: input.transfers,
    createdAt: "infinity",
    seq: "9223372036854775807",
    corrects: input.corrects ?? null,
    reserved: "0",
  };
  const found = await review(ctx, subject);
  // Of a snapshot's holders, New payout finds other payments by their references.
  const isOfSnapshot = input.transfers.some(({ reference }) =>
    HOLDER_REFERENCE_PATTERN.test(reference ?? ""),
  );
  const elsewhere = isOfSnapshot ? [] : await findElsewhere(ctx.db, subject);
  const { level, batches } = found.repeats;
  return { ...found, repeats: { level, batches: [...elsewhere, ...batches] } };
}

async function review(ctx: Reader, subject: Subject): Promise<BatchReview> {
  const [amounts, newCount, share, repeats] = await Promise.all([
    compareAmounts(ctx, subject),
    countNewRecipients(ctx.db, subject),
    shareOfBalance(ctx, subject),
    findRepeats(ctx.db, subject),
  ]);
  const batches = repeats.map((repeat) => ({
    ...repeat,
    ...(repeat.id === subject.corrects && { isCorrected: true }),
  }));
  const findings = {
    repeats: { level: judgeRepeats(batches, subject.transfers.length), batches },
    total: amounts.total,
    largestTransfer: amounts.largestTransfer,
    recipients: judgeRecipients(subject.transfers.length, newCount, amounts),
    share,
  };
  const levels = Object.values(findings).map((finding) => LEVELS.indexOf(finding?.level ?? "expected"));
  return { level: LEVELS[Math.max(...levels)]!, comparedWith: amounts.comparedWith, ...findings };
}

/** Paying one wallet the same again is common. Repeating several transfers, or what was cancelled, is not. */
function judgeRepeats(batches: readonly Repeat[], transferCount: number): Level {
  if (batches.length === 0) return "expected";
  return transferCount > 1 || batches.some(({ status }) => status === "CANCELLED") ? "unusual" : "notable";
}

function judgeRecipients(
  total: number,
  newCount: number,
  { comparedWith, total: { times } }: Pick<ComparedAmounts, "comparedWith" | "total">,
): BatchReview["recipients"] {
  const percent = Math.floor((100 * newCount) / total);
  const reachesUsual = times !== "0";
  const percentMin = reachesUsual ? NEW_RECIPIENTS_PERCENT : MOSTLY_NEW_PERCENT;
  const isUnusual = comparedWith >= NEW_RECIPIENTS_HISTORY && total > 1 && percent >= percentMin;
  const level = isUnusual ? "unusual" : newCount > 0 ? "notable" : "expected";
  return { level, total, new: newCount, percent };
}

interface AmountsRow extends Omit<ComparedAmount, "usual">, Record<keyof Usual, string | null> {
  what: "total" | "largest";
  count: number;
}

type ComparedAmounts = Awaited<ReturnType<typeof compareAmounts>>;

async function compareAmounts(ctx: Reader, subject: Subject) {
  const largest = subject.transfers.map(({ points }) => parsePoints(points)).reduce(larger);
  const rows = await ctx.db.sql<AmountsRow[]>`
    with earlier as materialized (
      ${earlierFinalized(ctx.db, subject)}
    ), sums as materialized (
      select sum(e.points) as points
      from earlier e left join payout_parts p on p.contract_address = ${subject.contract}
        and p.batch_seq = e.seq and ${subject.payoutTotal !== null}::boolean
      group by p.payout_id, case when p.payout_id is null then e.seq end
    ), largest_of as materialized (
      select max(amount) as points from earlier e join batch_transfers t on t.batch_seq = e.seq
          and t.contract_address = ${subject.contract}
        cross join lateral unnest(t.points) as amount
      group by e.seq
    ), usual as (
      select what, given.points, count(known.points)::int as count,
        percentile_disc(0.5) within group (order by known.points) as median,
        percentile_disc(0.95) within group (order by known.points) as p95, max(known.points) as max
      from (
          values ('total', ${subject.payoutTotal ?? subject.total}::text::numeric),
            ('largest', ${formatPoints(largest)}::text::numeric)
        ) as given (what, points)
        left join (
          select 'total' as what, points from sums union all select 'largest', points from largest_of
        ) as known using (what)
      group by what, given.points
    )
    select what, points, count, median, p95, max, trunc(points / p95)::text as times,
      coalesce(points > max, false) as "isRecord",
      case when points >= ${ALARMING_TIMES}::int * p95 then 'alarming'
        when points >= ${UNUSUAL_TIMES}::int * p95 then 'unusual'
        when points <= p95 then 'expected' else 'notable' end as level
    from usual order by what desc`;
  const compared = (what: AmountsRow["what"]): ComparedAmount => {
    const { level, points, median, p95, max, times, isRecord } = rows.find((row) => row.what === what)!;
    const usual =
      median === null || p95 === null || max === null
        ? null
        : { median: shortestPoints(median), p95: shortestPoints(p95), max: shortestPoints(max) };
    return { level, points: shortestPoints(points), usual, times, isRecord };
  };
  const total = { ...compared("total"), ...(subject.payoutTotal !== null && { isOfPayout: true }) };
  return { comparedWith: rows[1]!.count, total, largestTransfer: compared("largest") };
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other);

/** The batch's share of the points that the contract would have without it. */
async function shareOfBalance(ctx: Reader, subject: Subject): Promise<BatchReview["share"]> {
  if (subject.reserved === null) return null;
  const [row] = await ctx.db.sql<{ percent: number | null }[]>`
    select least(round(100 * ${subject.total}::text::numeric
        / nullif(a.earned + a.received - a.sent - a.pending + ${subject.reserved}::text::numeric, 0)),
      100)::int as percent
    from accounts a join contracts c on c.address = a.address
    where a.address = ${subject.contract} and a.point_type = ${subject.pointType}::point_type
      and c.issuance = 'PREFUNDED'`;
  const percent = row?.percent ?? null;
  if (percent === null) return null;
  return { level: percent >= LARGE_SHARE_PERCENT ? "unusual" : "expected", percent };
}
