import { within } from "@/db/client";
import { payoutTarget } from "@/server/audit/audit-person-change";
import { awaiting } from "@/server/batches/bulk/preview-bulk";
import { findCorrected, findList, readMetadata } from "@/server/batches/list/get-batch";
import { toConsoleBatches } from "@/server/batches/list/list-console-batches";
import { LISTED_COLUMNS } from "@/server/batches/list/listed-rows";
import { batchesOf, readNotPaid } from "@/server/batches/list/not-paid";
import { PAYOUT_SUMS, type PayoutSums } from "@/server/batches/list/read-payouts";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { type ListedBatch, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { isOfOthers, otherThan, standingOf } from "@/server/staff/second-person";
import type { PayoutCounts } from "@/terms/batch-schema";
import type { PointType } from "@/terms/batch-terms";
import { formatPoints, sumPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import { findPayoutReversals, findStops } from "./read-unpaid";
import {
  NOT_PAID_SHOWN_MAX,
  PAYOUT_PARTS_SHOWN_MAX,
  type Payout,
  type PayoutAmounts,
  type PayoutKey,
  type PayoutSource,
} from "./schema";

const SUBMITTERS_MAX = 20;
const PAGE_PARTS_MAX = 200;

export const payoutNotFound = (payoutId: string) =>
  new DomainError("payout_not_found", `The contract has no payout ${payoutId}.`);

/** A payout with the figures of all its batches, and all that is not paid. @throws `payout_not_found` */
export async function readPayout({ db }: ServiceContext, key: PayoutKey): Promise<Payout> {
  const { sql } = db;
  const contract = addressToBytes(key.contractAddress);
  const sumOf = (which: string, points = "points") =>
    sql.unsafe(`trim_scale(coalesce(sum(${points}) filter (where ${which}), 0))::text`);
  const [[totals], amounts] = await Promise.all([
    sql<[PayoutSums & Pick<Payout, "lastDueAt" | "lastFinalizedAt">]>`
      select ${sql.unsafe(PAYOUT_SUMS)},
        max(b.finalize_at) filter (where b.status <> 'CANCELLED') as "lastDueAt",
        max(b.finalized_at) as "lastFinalizedAt"
      from ${batchesOf(db, key)}`,
    sql<Omit<PayoutAmounts, "notPaid">[]>`
      select point_type as "pointType",
        ${sumOf("status = 'FINALIZED' or not is_back and status <> 'CANCELLED'")} as points,
        ${sumOf("status = 'FINALIZED'")} as paid,
        ${sumOf("not is_back and status = 'PENDING'")} as pending,
        ${sumOf("not is_back and status = 'FINALIZING'")} as finalizing,
        ${sumOf("not is_back and status = 'FINALIZED'")} as finalized,
        ${sumOf("not is_back and status = 'CANCELLED'")} as cancelled,
        ${sumOf("is_back and status = 'FINALIZED'", "-points")} as "takenBack",
        ${sumOf("is_back and status in ('PENDING', 'FINALIZING')", "-points")} as "takingBack"
      from (
        select b.point_type, b.status, b.points, false as is_back from ${batchesOf(db, key)}
        union all
        select r.point_type, r.status, -r.points, true
        from payout_parts p
          join batches r on r.contract_address = p.contract_address and r.reverses_seq = p.batch_seq
        where p.contract_address = ${contract}
          and r.contract_address = ${contract}
          and p.payout_id = ${key.payoutId}
          and r.reverses_seq is not null
      ) as moved
      group by point_type
      order by point_type`,
  ]);
  if (totals.stored === 0) throw payoutNotFound(key.payoutId);
  const notPaid = totals.counts.cancelled > 0 ? await readNotPaid(db, key) : [];
  const notPaidOf = (type: PointType) =>
    formatPoints(sumPoints(notPaid.flatMap(({ pointType, points }) => (pointType === type ? points : []))));
  return {
    id: key.payoutId,
    contractAddress: addressFromBytes(contract),
    status: statusOf(totals.counts, notPaid.length > 0),
    ...withTimes(totals, "firstDueAt", "lastDueAt", "lastFinalizedAt"),
    amounts: amounts.map((amount) => ({ ...amount, notPaid: notPaidOf(amount.pointType) })),
    notPaid: notPaid.map(({ batchId, transferCount, points }) => ({ batchId, transferCount, points })),
  };
}

function statusOf({ pending, finalizing, finalized }: PayoutCounts, isShort: boolean): Payout["status"] {
  if (pending + finalizing > 0) return "PENDING";
  if (finalized === 0) return "CANCELLED";
  return isShort ? "PARTLY_CANCELLED" : "FINALIZED";
}

async function readSource({ db }: ServiceContext, key: PayoutKey): Promise<PayoutSource> {
  const { sql } = db;
  const isHeld = sql`b.status = 'PENDING' and b.held_for_payout`;
  const waits = sql`${isHeld} and not b.held_apart`;
  const countOf = (which: typeof isHeld) => sql`json_build_object('batches', count(*) filter (where ${which}),
    'points', trim_scale(coalesce(sum(b.points) filter (where ${which}), 0))::text)`;
  const [source] = await sql<[PayoutSource]>`
    select max(p.part_count) as "partCount", count(distinct p.part)::int as "storedParts",
      min(p.file_name) as "fileName",
      array_to_string((array_agg(distinct p.read_as))[:${SUBMITTERS_MAX}], chr(10)) as "readAs",
      (array_agg(distinct b.submitted_by))[:${SUBMITTERS_MAX}] as "submittedBy",
      min(b.created_at) as "firstSubmittedAt",
      ${countOf(waits)} as waiting,
      ${countOf(sql`${waits} and b.finalize_at <= now() and not b.awaits_approval`)} as "waitingDue",
      count(*) filter (where ${isHeld} and b.held_apart)::int as "heldApart"
    from ${batchesOf(db, key)}`;
  return withTimes(source, "firstSubmittedAt");
}

/** The latest hold of a person. */
async function readHold({ db }: ServiceContext, key: PayoutKey) {
  const [hold] = await db.sql<{ by: string; at: string; reason: string }[]>`
    select b.held_by as by, max(b.held_at) as at, b.hold_reason as reason
    from ${batchesOf(db, key)}
      and b.status = 'PENDING' and b.held_at is not null and (b.held_apart or not b.held_for_payout)
    group by b.held_by, b.hold_reason
    order by at desc limit 1`;
  return hold ? withTimes(hold, "at") : null;
}

/**
 * Its first batches, in the order of the file or, without one, of submitting.
 * @param of which are the first: those that were cancelled or are taken back, or as they are ordered
 */
async function readParts(
  { db }: ServiceContext,
  key: PayoutKey,
  { max, of }: { max: number; of: "trouble" | "order" },
): Promise<ListedBatch[]> {
  const { sql } = db;
  const contract = addressToBytes(key.contractAddress);
  const chosen =
    of === "order"
      ? sql`payout_parts p where p.contract_address = ${contract} and p.payout_id = ${key.payoutId} order by`
      : sql`${batchesOf(db, key)} order by (b.status = 'CANCELLED' or exists (
          select 1 from batches r where r.contract_address = b.contract_address and r.reverses_seq = b.seq
        )) desc,`;
  return await sql<ListedBatch[]>`
    select ${sql.unsafe(LISTED_COLUMNS)}
    from (
      select p.contract_address, p.batch_seq, p.part from ${chosen} p.part, p.batch_seq limit ${max}
    ) p join batches on batches.contract_address = p.contract_address and batches.seq = p.batch_seq
    where batches.contract_address = ${contract}
    order by p.part, p.batch_seq`;
}

/** Reads all as of one instant. */
const atOneInstant = async <T>(ctx: ServiceContext, read: (on: ServiceContext) => Promise<T>): Promise<T> =>
  (await ctx.db.sql.begin("isolation level repeatable read read only", (tx) =>
    read({ ...ctx, db: within(ctx.db, tx) }),
  )) as T;

/** @throws DomainError `payout_not_found` */
export const readWithParts = (ctx: ServiceContext, input: PayoutKey) =>
  atOneInstant(ctx, async (on) => {
    const { notPaid, ...payout } = await readPayout(on, input);
    const parts = await readParts(on, input, { max: PAYOUT_PARTS_SHOWN_MAX, of: "order" });
    return { ...payout, notPaid: notPaid.slice(0, NOT_PAID_SHOWN_MAX), parts };
  });

export type ConsolePayout = Awaited<ReturnType<typeof describePayout>>;

/** A payout for its page. @throws DomainError `payout_not_found` */
export const describePayout = (ctx: ServiceContext, input: PayoutKey) =>
  atOneInstant(ctx, async (on) => {
    const found = await readPayout(on, input);
    // Nothing of a payout that was cancelled whole is paid: what is counted is what is not.
    const unpaid = found.status === "CANCELLED" ? found.notPaid : [];
    const transferCount = unpaid.reduce((sum, one) => sum + one.transferCount, found.transferCount);
    const payout = { ...found, transferCount };
    const source = await readSource(on, input);
    const rows = await readParts(on, input, { max: PAGE_PARTS_MAX, of: "trouble" });
    const first = { contractAddress: rows[0]!.contractAddress, seq: BigInt(rows[0]!.seq) };
    const isMissing = found.amounts.length === 1 && source.storedParts < (source.partCount ?? 0);
    const [list, parts, metadata, corrects, checked] = await Promise.all([
      isMissing ? findList(on, input, rows) : null,
      toConsoleBatches(on, rows, false),
      readMetadata(on, [first]),
      findCorrected(on, first),
      findRelease(on, input),
    ]);
    const [stops, reversals, hold] = await Promise.all([
      findStops(on, input),
      findPayoutReversals(on, rows),
      payout.counts.onHold > 0 ? readHold(on, input) : null,
    ]);
    const shown = new Set(parts.map(({ id }) => id));
    const isTakenBack = payout.amounts.some(({ takingBack }) => takingBack !== "0");
    const mayAwait = payout.counts.awaitingApproval > 0 || isTakenBack;
    return {
      ...payout,
      ...source,
      /** The total of its list, while some of that is not stored; null if that is not known. */
      listPoints: list?.listPoints ?? null,
      /** Of the batches that are shown. */
      notPaid: payout.notPaid.filter(({ batchId }) => shown.has(batchId)),
      notPaidCount: payout.notPaid.length,
      contractLabel: parts[0]!.contractLabel,
      name: source.fileName ?? payout.id,
      checked,
      /** Of its first batch. */
      metadata: metadata.get(first.seq) ?? {},
      corrects,
      approval: mayAwait ? await readApproval(on, input) : null,
      /** Without their payout, those that were cancelled or are taken back before others. */
      parts,
      stops,
      /** What takes these parts back. */
      reversals,
      hold,
    };
  });

/** Whether the reader may approve some of what awaits it, and who else may; null if nothing does. */
async function readApproval({ db: { sql }, actor }: ServiceContext, key: PayoutKey) {
  const { isUnconfirmed, gaveAccessTo } = await standingOf(sql, actor);
  const [row] = await sql<{ isOfOthers: boolean; by: string[] }[]>`
    select bool_or(${isOfOthers(sql, [actor, ...gaveAccessTo])}) as "isOfOthers",
      array_agg(distinct coalesce(token_created_by, submitted_by)) as by
    from ${awaiting(sql, key)} having count(*) > 0`;
  if (!row) return null;
  const mayDecide = row.isOfOthers && !isUnconfirmed;
  const who =
    row.by.length > 1
      ? "Operators and admins can approve what they did not submit."
      : `Operators and admins${otherThan(...new Set(mayDecide ? row.by : [...row.by, actor]))} can approve.`;
  return { mayDecide, who };
}

/** Who released the file's batches after its review, and when; null until then. */
async function findRelease({ db: { sql } }: ServiceContext, input: PayoutKey) {
  const [row] = await sql<{ by: string; at: string }[]>`
    select actor as by, at from audit_log
    where target = ${payoutTarget(input)} and action = 'payout.release'
    order by id limit 1`;
  return row ? withTimes(row, "at") : null;
}
