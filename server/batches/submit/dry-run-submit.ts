import type { Fragment } from "postgres";
import type { z } from "zod";
import type { Database } from "@/db/client";
import { requireCancelled } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { contractNotFound } from "@/server/ledger/accounts";
import type { BatchLimits } from "@/terms/batch-limits";
import type { PointType } from "@/terms/batch-terms";
import { shortestPoints } from "@/terms/points";
import { type PreparedBatch, prepareBatch } from "./digest";
import { refusePaid } from "./references";
import { weightOf } from "./submit-batch";
import { contentOfStored, insufficientPoints, keyRequired, requireSameBatch } from "./submit-errors";
import type { DryRunReply, SubmitBatchInput } from "./submit-schema";

/** No batch has this ID. With null, the join would fold to false, and Citus could not route it. */
export const NO_ID = "";

/** Whether a rule `r` stops a batch with this total, of a payout with this weight. */
const isStopped = (sql: Database["sql"], total: Fragment, weight: Fragment) =>
  sql`${weight} >= r.threshold or r.on_unusual or ${total} >= r.day_threshold
        - case when r.day >= (now() at time zone 'UTC')::date then r.day_points else 0 end`;

/** Whether a stored batch `b` awaits approval, or else a new one would by the rule `r`. */
export const wouldAwait = ({ sql }: Database, total: string, weight = sql`${total}::text::numeric`) =>
  sql`coalesce(b.awaits_approval, ${isStopped(sql, sql`${total}::text::numeric`, weight)}, false)`;

/** The same for sums that are approved as a whole. */
export async function wouldAwaitSums(
  { db: { sql } }: ServiceContext,
  contractAddress: string,
  sums: readonly { pointType: PointType; points: string }[],
): Promise<boolean> {
  const rows = await sql`
    select 1
    from unnest(${sums.map(({ pointType }) => pointType)}::text[]::point_type[],
        ${sums.map(({ points }) => points)}::text[]::numeric[]) as w (point_type, points)
      join approval_rules r on r.contract_address = ${addressToBytes(contractAddress)}
        and r.point_type = w.point_type
    where ${isStopped(sql, sql`w.points`, sql`w.points`)}`;
  return rows.length > 0;
}

/** When a batch would be due, or the one that is stored under its ID, and what that is. */
export interface DryRunRow {
  due_at: string;
  stored_digest: Buffer | null;
  cancelled_at: string | null;
  awaits_approval: boolean;
}

interface SubmitRow extends DryRunRow {
  key_required: boolean;
  issuance: "ON_DEMAND" | "PREFUNDED";
  available: string;
  lacking: string;
  after: string;
}

/** What a submit of this batch would do now. Stores nothing. @throws DomainError the same as a submit */
export async function dryRunSubmit(
  ctx: ServiceContext,
  limits: BatchLimits,
  given: SubmitBatchInput,
): Promise<z.output<typeof DryRunReply>> {
  const batch = prepareBatch(given, limits);
  const input = await requireCancelled(ctx, given);
  const { pointType, transfers } = input;
  const contract = addressToBytes(input.contractAddress);
  const { sql } = ctx.db;
  const payoutId = input.payoutId ?? input.payout?.id;
  const { points: sum } = input.payout ?? {};
  const weight = sum
    ? sql`${sum}::text::numeric`
    : weightOf(sql, { contract, pointType, total: batch.total, payoutId });
  const [row] = await sql<SubmitRow[]>`
    select
      c.issuance,
      c.key_required,
      a.available,
      greatest(${batch.total}::text::numeric - a.available, 0) as lacking,
      greatest(a.available - ${batch.total}::text::numeric, 0) as after,
      coalesce(b.finalize_at, now() + ${batch.waitSeconds}::int * interval '1 second') as due_at,
      b.digest as stored_digest,
      b.cancelled_at,
      ${wouldAwait(ctx.db, sum ?? batch.total, weight)} as awaits_approval
    from contracts c
      join (
        select address, earned + received - sent - pending as available
        from accounts
        where address = ${contract} and point_type = ${pointType}::point_type
      ) a on a.address = c.address
      left join batches b on b.contract_address = ${contract} and b.id = ${input.batchId ?? NO_ID}::text
      left join approval_rules r
        on r.contract_address = ${contract} and r.point_type = ${pointType}::point_type
    where c.address = ${contract}`;
  if (!row) throw contractNotFound(input.contractAddress);
  if (row.key_required && input.batchId === undefined) throw keyRequired("Idempotency-Key");
  const isOther = row.stored_digest && !row.stored_digest.equals(batch.digest);
  const stored = isOther ? await contentOfStored(ctx, input.batchId!, input) : undefined;
  const reply = dryRunReply(row, input, { ...batch, pointType, transferCount: transfers.length }, stored);
  const available = shortestPoints(row.available);
  const lacking = shortestPoints(row.lacking);
  const { replayed } = reply;
  if (!replayed) await refusePaid(ctx, input);
  if (!replayed && row.issuance === "PREFUNDED" && lacking !== "0")
    throw insufficientPoints(input, { available, total: batch.total });
  // References say that two batches pay for different things, but only if both have them.
  const hasOwnReferences = transfers.every(({ reference }) => reference);
  const withoutReferences = hasOwnReferences
    ? sql`and not exists (
        select 1 from transfer_references r where r.contract_address = ${contract} and r.batch_seq = seq
      )`
    : sql``;
  const [same] = await sql<{ id: string }[]>`
    select id
    from batches
    where transfers_hash = ${batch.transfersHash}
      and contract_address = ${contract}
      and point_type = ${pointType}::point_type
      and status <> 'CANCELLED'
      ${withoutReferences}
    limit 1`;
  return {
    ...reply,
    ...(same && !replayed && { sameTransfersAs: same.id }),
    availableBefore: available,
    availableAfter: replayed ? available : shortestPoints(row.after),
    issued: replayed ? "0" : lacking,
  };
}

/**
 * What every dry run returns.
 * @param stored what the batch of this ID contains, if it differs and that is known
 * @throws DomainError `batch_id_conflict`, `idempotency_key_reused`, `batch_cancelled`
 */
export function dryRunReply(
  row: DryRunRow,
  { batchId, isKeyed }: { batchId?: string | undefined; isKeyed?: boolean | undefined },
  batch: Omit<PreparedBatch, "transfersHash"> & { pointType: PointType; transferCount: number },
  stored?: string,
) {
  const { stored_digest, cancelled_at } = row;
  if (stored_digest)
    requireSameBatch(
      { batchId: batchId!, isKeyed },
      { digest: stored_digest, cancelledAt: cancelled_at },
      batch.digest,
      stored,
    );
  return {
    success: true as const,
    dryRun: true as const,
    batchId: batchId ?? null,
    replayed: stored_digest !== null,
    pointType: batch.pointType,
    points: batch.total,
    transferCount: batch.transferCount,
    secondsToFinalize: batch.waitSeconds,
    finalizeAt: toTimestamp(row.due_at),
    digest: batch.digest.toString("hex"),
    ...(row.awaits_approval && { awaitingApproval: true as const }),
  };
}
