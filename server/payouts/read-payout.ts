import { within } from "@/db/client";
import { payoutTarget } from "@/server/audit/audit-person-change";
import { findCorrected, readMetadata } from "@/server/batches/list/get-batch";
import { contractLabels, databaseNow, toConsoleBatches } from "@/server/batches/list/list-console-batches";
import { LISTED_COLUMNS } from "@/server/batches/list/listed-rows";
import { countsOf, nameOfPayout, PAYOUT_SUMS, type PayoutSums } from "@/server/batches/list/read-payouts";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { type ListedBatch, toTimestamp, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { ADDRESSES_OF, TRANSFERS_OF } from "@/server/ledger/packed-transfers";
import type { PointType } from "@/terms/batch-terms";
import { shortestPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import { findPayoutReversals, findStops } from "./read-unpaid";
import {
  type ConsolePayout,
  PAYOUT_PARTS_SHOWN_MAX,
  type Payout,
  type PayoutKey,
  type PayoutStatus,
  type UnfinishedPayout,
  type UnfinishedPayoutsInput,
} from "./schema";

/** The page is read again and again, so the recipients of a larger payout are not counted. */
const RECIPIENTS_COUNTED_MAX = 20_000;
const MISSING_PARTS_MAX = 100;
const SUBMITTERS_MAX = 20;
const UNFINISHED_MAX = 20;

export const payoutNotFound = (payoutId: string) =>
  new DomainError("payout_not_found", `The contract has no payout ${payoutId}.`);

interface TypeRow extends PayoutSums {
  pointType: PointType;
  partCount: number | null;
  fileName: string | null;
  pendingPoints: string;
  finalizingPoints: string;
  finalizedPoints: string;
  cancelledPoints: string;
  takenBack: string;
  submittedBy: string[];
  firstSubmittedAt: string;
  lastSubmittedAt: string;
  lastDueAt: string | null;
  lastFinalizedAt: string | null;
}

/** A payout with the figures of all its batches. @throws DomainError `payout_not_found` */
export async function readPayout(
  ctx: ServiceContext,
  { contractAddress, payoutId }: PayoutKey,
): Promise<Payout> {
  const { sql } = ctx.db;
  const contract = addressToBytes(contractAddress);
  const pointsIn = (status: string) =>
    sql`coalesce(sum(b.points) filter (where b.status = ${status}::batch_status), 0)::text`;
  const rows = await sql<TypeRow[]>`
    select b.point_type as "pointType", max(p.part_count) as "partCount", min(p.file_name) as "fileName",
      ${sql.unsafe(PAYOUT_SUMS)},
      ${pointsIn("PENDING")} as "pendingPoints",
      ${pointsIn("FINALIZING")} as "finalizingPoints",
      ${pointsIn("FINALIZED")} as "finalizedPoints",
      ${pointsIn("CANCELLED")} as "cancelledPoints",
      coalesce(sum((
        select sum(r.points)
        from batches r
        where r.contract_address = ${contract} and r.reverses_seq = b.seq and r.status = 'FINALIZED'
      )), 0)::text as "takenBack",
      (array_agg(distinct b.submitted_by))[:${SUBMITTERS_MAX}] as "submittedBy",
      min(b.created_at) as "firstSubmittedAt", max(b.created_at) as "lastSubmittedAt",
      max(b.finalize_at) filter (where b.status <> 'CANCELLED') as "lastDueAt",
      max(b.finalized_at) as "lastFinalizedAt"
    from payout_parts p
      join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
    where p.contract_address = ${contract} and b.contract_address = ${contract} and p.payout_id = ${payoutId}
    group by b.point_type
    order by b.point_type`;
  if (rows.length === 0) throw payoutNotFound(payoutId);
  const total = (of: (row: TypeRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const times = (of: (row: TypeRow) => string | null) =>
    rows
      .flatMap((row) => of(row) ?? [])
      .map(toTimestamp)
      .sort();
  const counts = countsOf(rows);
  return {
    contractAddress: addressFromBytes(contract),
    id: payoutId,
    status: statusOf(counts),
    fileName: rows[0]!.fileName,
    partCount: rows[0]!.partCount,
    stored: total((row) => row.stored),
    counts,
    transferCount: total((row) => row.transferCount),
    amounts: rows.map((row) => ({
      pointType: row.pointType,
      points: shortestPoints(row.points),
      pending: shortestPoints(row.pendingPoints),
      finalizing: shortestPoints(row.finalizingPoints),
      finalized: shortestPoints(row.finalizedPoints),
      cancelled: shortestPoints(row.cancelledPoints),
      takenBack: shortestPoints(row.takenBack),
    })),
    submittedBy: [...new Set(rows.flatMap((row) => row.submittedBy))],
    firstSubmittedAt: times((row) => row.firstSubmittedAt)[0]!,
    lastSubmittedAt: times((row) => row.lastSubmittedAt).at(-1)!,
    firstDueAt: times((row) => row.firstDueAt)[0] ?? null,
    lastDueAt: times((row) => row.lastDueAt).at(-1) ?? null,
    lastFinalizedAt: times((row) => row.lastFinalizedAt).at(-1) ?? null,
  };
}

function statusOf({ pending, finalizing, finalized, cancelled }: Payout["counts"]): PayoutStatus {
  if (pending + finalizing > 0) return "PENDING";
  if (cancelled === 0) return "FINALIZED";
  return finalized > 0 ? "PARTLY_CANCELLED" : "CANCELLED";
}

/** Its first batches, in the order of the file or, without one, of submitting. */
export async function readParts(
  { db: { sql } }: ServiceContext,
  { contractAddress, payoutId }: PayoutKey,
): Promise<ListedBatch[]> {
  const contract = addressToBytes(contractAddress);
  return await sql<ListedBatch[]>`
    select ${sql.unsafe(LISTED_COLUMNS)}
    from payout_parts p
      join batches on batches.contract_address = p.contract_address and batches.seq = p.batch_seq
    where p.contract_address = ${contract}
      and batches.contract_address = ${contract}
      and p.payout_id = ${payoutId}
    order by p.part, p.batch_seq
    limit ${PAYOUT_PARTS_SHOWN_MAX}`;
}

/** A payout for its page, all of it as of one instant. @throws DomainError `payout_not_found` */
export async function describePayout(ctx: ServiceContext, input: PayoutKey): Promise<ConsolePayout> {
  return (await ctx.db.sql.begin("isolation level repeatable read read only", async (tx) => {
    const on = { ...ctx, db: within(ctx.db, tx) };
    const payout = await readPayout(on, input);
    const parts = await readParts(on, input);
    const first = { contractAddress: parts[0]!.contractAddress, seq: BigInt(parts[0]!.seq) };
    const [shown, labels, metadata, corrects, checked, missingParts, recipientCount, now] = await Promise.all(
      [
        toConsoleBatches(on, parts),
        contractLabels(on, [first.contractAddress]),
        readMetadata(on, [first]),
        findCorrected(on, first),
        findRelease(on, input),
        findMissingParts(on, input, payout),
        countRecipients(on, input, payout),
        databaseNow(on),
      ],
    );
    const [stops, reversals] = await Promise.all([findStops(on, input), findPayoutReversals(on, input)]);
    return {
      ...payout,
      contractLabel: labels.get(payout.contractAddress) ?? "",
      name: nameOfPayout(payout.id, payout.fileName),
      checked,
      missingParts,
      recipientCount,
      metadata: metadata.get(first.seq) ?? {},
      corrects,
      parts: shown,
      stops,
      reversals,
      now,
    };
  })) as ConsolePayout;
}

async function findRelease(
  { db: { sql } }: ServiceContext,
  input: PayoutKey,
): Promise<ConsolePayout["checked"]> {
  const [row] = await sql<{ by: string; at: string }[]>`
    select actor as by, at from audit_log
    where target = ${payoutTarget(input)} and action = 'payout.release'
    order by id limit 1`;
  return row ? withTimes(row, "at") : null;
}

async function findMissingParts(
  { db: { sql } }: ServiceContext,
  { contractAddress, payoutId }: PayoutKey,
  { partCount, stored }: Payout,
): Promise<number[]> {
  if (partCount === null || stored >= partCount) return [];
  const rows = await sql<{ part: number }[]>`
    select part from generate_series(1, ${partCount}::int) as part
    except
    select part from payout_parts
    where contract_address = ${addressToBytes(contractAddress)} and payout_id = ${payoutId}
    order by part limit ${MISSING_PARTS_MAX}`;
  return rows.map(({ part }) => part);
}

async function countRecipients(
  { db: { sql } }: ServiceContext,
  { contractAddress, payoutId }: PayoutKey,
  { stored, transferCount }: Payout,
): Promise<number | null> {
  if (stored === 1) return transferCount;
  if (transferCount > RECIPIENTS_COUNTED_MAX) return null;
  const contract = addressToBytes(contractAddress);
  const [row] = await sql<{ count: number }[]>`
    select count(distinct u.to_address)::int as count
    from payout_parts p
      join batch_transfers t on t.contract_address = p.contract_address and t.batch_seq = p.batch_seq
      ${sql.unsafe(ADDRESSES_OF)} cross join lateral ${sql.unsafe(TRANSFERS_OF)} as u
    where p.contract_address = ${contract} and t.contract_address = ${contract} and p.payout_id = ${payoutId}`;
  return row!.count;
}

interface UnfinishedRow extends Omit<UnfinishedPayout, "contractAddress" | "corrects" | "metadata"> {
  contract: Buffer;
  firstSeq: string;
}

const IS_WAITING = "b.status = 'PENDING' and b.held_at is not null and b.held_for_payout";

/** Payouts of anyone with batches that wait for the rest of their file or for the release, soonest first. */
export async function listUnfinishedPayouts(
  ctx: ServiceContext,
  { contractAddress, payoutId }: UnfinishedPayoutsInput = {},
): Promise<UnfinishedPayout[]> {
  const { sql } = ctx.db;
  const rows = await sql<UnfinishedRow[]>`
    with unfinished as materialized (
      select distinct p.contract_address, p.payout_id
      from batches b join payout_parts p on p.contract_address = b.contract_address and p.batch_seq = b.seq
      where ${sql.unsafe(IS_WAITING)}
        ${contractAddress ? sql`and p.contract_address = ${addressToBytes(contractAddress)}` : sql``}
        ${payoutId ? sql`and p.payout_id = ${payoutId}` : sql``}
    )
    select p.payout_id as id, b.contract_address as contract, b.point_type as "pointType",
      b.wait_seconds as "waitSeconds", min(p.file_name) as "fileName", min(b.seq)::text as "firstSeq",
      min(b.submitted_by) as "submittedBy", max(p.part_count) as "partCount",
      count(distinct p.part)::int as stored, count(*) filter (where b.status = 'CANCELLED')::int as cancelled,
      count(*) filter (where ${sql.unsafe(IS_WAITING)})::int as waiting,
      coalesce(sum(b.points) filter (where ${sql.unsafe(IS_WAITING)}), 0)::text as points,
      min(b.finalize_at) filter (where ${sql.unsafe(IS_WAITING)}) as "firstDueAt"
    from unfinished u
      join payout_parts p on p.contract_address = u.contract_address and p.payout_id = u.payout_id
      join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
    group by p.payout_id, b.contract_address, b.point_type, b.wait_seconds
    having count(*) filter (where ${sql.unsafe(IS_WAITING)}) > 0
    order by "firstDueAt", p.payout_id limit ${UNFINISHED_MAX}`;
  return Promise.all(
    rows.map(async ({ contract, firstSeq, ...row }) => {
      const first = { contractAddress: contract, seq: BigInt(firstSeq) };
      return {
        ...row,
        contractAddress: addressFromBytes(contract),
        corrects: await findCorrected(ctx, first),
        metadata: (await readMetadata(ctx, [first])).get(first.seq) ?? {},
        points: shortestPoints(row.points),
        firstDueAt: toTimestamp(row.firstDueAt),
      };
    }),
  );
}
