import type { Sql, TransactionSql } from "postgres";
import { v7 as uuidv7 } from "uuid";
import type { BatchFiltersInput, ConsoleBatch } from "@/server/batches/list/console-schema";
import { listBatches } from "@/server/batches/list/list-batches";
import { databaseNow, refreshBatches } from "@/server/batches/list/list-console-batches";
import { LISTED_COLUMNS } from "@/server/batches/list/listed-rows";
import { wouldAwaitSums } from "@/server/batches/submit/dry-run-submit";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { type ListedBatch, toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { allPages } from "@/server/kernel/cursor";
import { invalid } from "@/server/kernel/to-domain-error";
import { barredFor, isOfOthers } from "@/server/staff/second-person";
import type { BatchStatus } from "@/terms/batch-terms";
import { BULK_BATCHES_MAX } from "@/terms/filters";
import { groupItems, obstaclesIn, shareOf } from "./jobs";
import type { BulkAction, BulkObstacle, BulkPreviewInput } from "./schema";

const BATCHES_AT_ONCE = 1000;

const PREVIEWS_KEPT = 10;

type Chosen = Pick<
  ConsoleBatch,
  "contractAddress" | "id" | "pointType" | "status" | "points" | "transferCount" | "updatedAt" | keyof Held
> &
  More;
type Held = Pick<ConsoleBatch, "heldAt" | "heldForPayout" | "heldApart" | "awaitsApproval">;
interface More {
  isTakenBack?: boolean;
  isOwn?: boolean;
}

/**
 * Freezes the chosen batches as a job that is not started yet, and counts what it would do. Batches created
 * from now on are never part of it. No batch is changed. A person's previews can be open in several tabs: the
 * newest ten that were not started are kept.
 * @throws DomainError `validation_failed` when no batch or too many match
 */
export async function previewBulk(ctx: ServiceContext, input: BulkPreviewInput) {
  const frozenAt = await databaseNow(ctx);
  const jobId = uuidv7();
  const { chosen, action } = input;
  const payout = action === "reverse" || action === "approve" ? payoutOf(chosen) : null;
  const batches = await readChosen(ctx, input, frozenAt, payout);
  if (batches.length === 0) throw invalid("No batch matches any more.");
  await ctx.db.sql.begin(async (tx) => {
    await tx`
      with replaced as (
        delete from bulk_jobs where id in (
          select id from bulk_jobs where created_by = ${ctx.actor} and started_at is null
          order by frozen_at desc, id desc offset ${PREVIEWS_KEPT - 1})
          and started_at is null
        returning id)
      delete from bulk_job_items where job_id in (select id from replaced)`;
    await tx`
      insert into bulk_jobs (id, action, frozen_at, created_by, item_count)
      values (${jobId}, ${action}, ${frozenAt}, ${ctx.actor}, ${batches.length})`;
    for (let from = 0; from < batches.length; from += BATCHES_AT_ONCE)
      await storeItems(tx, { jobId, action, from }, batches.slice(from, from + BATCHES_AT_ONCE));
  });
  const groups = await groupItems(ctx.db, jobId);
  const changeable = shareOf(groups.filter(({ result }) => result === null));
  return {
    jobId,
    action,
    /** Whether a rule stops all of it until another person approves. */
    awaitsApproval:
      action === "reverse" && (await wouldAwaitSums(ctx, payout!.contractAddress, changeable.amounts)),
    /** Batches created later are not part of it. */
    frozenAt,
    batches: batches.length,
    changeable,
    obstacles: obstaclesIn(groups),
  };
}

function payoutOf(chosen: BulkPreviewInput["chosen"]): Payout {
  const { contractAddress, payoutId, reversals } = "filters" in chosen ? chosen.filters : {};
  if (contractAddress && payoutId) return { contractAddress, payoutId, reversals };
  throw invalid("Choose these batches by their contract and payout.");
}

/** The payout of what is taken back or approved. */
type Payout = { contractAddress: string; payoutId: string; reversals?: boolean | undefined };

async function readChosen(
  ctx: ServiceContext,
  { action, chosen }: BulkPreviewInput,
  frozenAt: string,
  payout: Payout | null,
): Promise<Chosen[]> {
  if (action === "approve") return await readAwaiting(ctx, payout!);
  if ("keys" in chosen) return (await refreshBatches(ctx, chosen.keys)).batches;
  const found = await readMatching(ctx, chosen.filters, frozenAt);
  return payout ? await lessTakenBack(ctx, payout, found) : found;
}

/** What awaits approval of a payout: its batches, the reversals that take it back, or both. */
async function readAwaiting(ctx: ServiceContext, payout: Payout): Promise<Chosen[]> {
  const { sql } = ctx.db;
  const barred = await barredFor(sql, ctx.actor);
  const rows = await sql<(ListedBatch & { isOwn: boolean })[]>`
    select ${sql.unsafe(LISTED_COLUMNS)}, not ${isOfOthers(sql, barred)} as "isOwn"
    from ${awaiting(sql, payout)} order by seq`;
  return rows.map((row) => ({ ...toChosen(row), isOwn: row.isOwn }));
}

/** What awaits approval of a payout, as what follows `from`. */
export function awaiting(sql: Sql, { contractAddress, payoutId, reversals }: Payout) {
  const contract = addressToBytes(contractAddress);
  const parts = sql`select batch_seq from payout_parts
    where contract_address = ${contract} and payout_id = ${payoutId}`;
  return sql`batches
    where contract_address = ${contract} and status = 'PENDING' and awaits_approval
      and (${reversals !== true}::boolean and seq in (${parts})
        or ${reversals !== false}::boolean and reverses_seq in (${parts}))`;
}

const toChosen = (row: ListedBatch): Chosen => ({
  ...row,
  contractAddress: addressFromBytes(row.contractAddress),
  heldAt: row.status === "PENDING" && row.heldAt ? toTimestamp(row.heldAt) : null,
  updatedAt: row.updatedAt && toTimestamp(row.updatedAt),
});

/** With what nobody has taken back of each batch, or is about to. */
async function lessTakenBack(
  ctx: ServiceContext,
  { contractAddress, payoutId }: Payout,
  batches: readonly Chosen[],
): Promise<Chosen[]> {
  const contract = addressToBytes(contractAddress);
  const rows = await ctx.db.sql<{ id: string; points: string; transferCount: number }[]>`
    select b.id, (b.points - m.points)::text as points, b.transfer_count - m.count as "transferCount"
    from (
      select m.batch_seq, sum(m.points) as points, count(*)::int as count
      from payout_parts p
        join reversed_transfers m on m.contract_address = p.contract_address and m.batch_seq = p.batch_seq
      where p.contract_address = ${contract}
        and m.contract_address = ${contract}
        and p.payout_id = ${payoutId}
      group by 1
    ) m join batches b on b.seq = m.batch_seq
    where b.contract_address = ${contract}`;
  const left = new Map(rows.map((row) => [row.id, row]));
  return batches.map((batch) => {
    const { points, transferCount } = left.get(batch.id) ?? batch;
    return transferCount > 0 ? { ...batch, points, transferCount } : { ...batch, isTakenBack: true };
  });
}

async function readMatching(
  ctx: ServiceContext,
  filters: BatchFiltersInput,
  frozenAt: string,
): Promise<Chosen[]> {
  // The bound is exclusive and in milliseconds: a batch of this very one may already be on screen.
  const frozen = new Date(Date.parse(frozenAt) + 1).toISOString();
  const { createdBefore = frozen } = filters;
  const until = Date.parse(createdBefore) < Date.parse(frozen) ? createdBefore : frozen;
  const query = { ...filters, createdBefore: until, whole: true, limit: BATCHES_AT_ONCE };
  const all: Chosen[] = [];
  for await (const { rows } of allPages((cursor: string | null) => listBatches(ctx, { ...query, cursor }))) {
    all.push(...rows.map(toChosen));
    if (all.length > BULK_BATCHES_MAX)
      throw invalid(
        `More than ${BULK_BATCHES_MAX.toLocaleString("en")} batches match. ` +
          "Narrow the filters, for example to one status, contract or period.",
      );
  }
  return all;
}

async function storeItems(
  tx: TransactionSql,
  { jobId, action, from }: { jobId: string; action: BulkAction; from: number },
  batches: readonly Chosen[],
): Promise<void> {
  const items = batches.map((batch, at) => {
    const why = obstacleOf(action, batch);
    return {
      position: from + at,
      contract: batch.contractAddress.slice(2),
      id: batch.id,
      type: batch.pointType,
      points: batch.points,
      transfers: batch.transferCount,
      why,
      at: why && (batch.heldAt ?? batch.updatedAt),
    };
  });
  await tx`
    insert into bulk_job_items (job_id, position, contract_address, batch_id, point_type, points,
      transfer_count, result, why, why_at)
    select ${jobId}::uuid, i.position, decode(i.contract, 'hex'), i.id, i.type::point_type, i.points,
      i.transfers, case when i.why is not null then 'EXCLUDED' end, i.why, i.at
    from jsonb_to_recordset(${JSON.stringify(items)}::text::jsonb) as i (position integer, contract text,
      id text, type text, points numeric, transfers integer, why text, at timestamptz)`;
}

/** Why the action is impossible in the batch's state; null if it is possible. */
export function obstacleOf(
  action: BulkAction,
  batch: Record<keyof Held, unknown> & { status: BatchStatus } & More,
): BulkObstacle | null {
  const { status, heldAt, heldForPayout, heldApart, isTakenBack } = batch;
  if (action === "reverse" && status === "FINALIZED") return isTakenBack ? "REVERSED" : null;
  if (action === "reverse" || status !== "PENDING") return status;
  if (action === "hold" && heldAt && (!heldForPayout || heldApart)) return "HELD";
  if ((action === "release" || action === "approve") && heldForPayout) return "WAITS";
  if (action === "release" && !heldAt) return "NOT_HELD";
  if (action === "approve" && !batch.awaitsApproval) return "DECIDED";
  if (action === "approve" && batch.isOwn) return "OWN";
  return null;
}

export type BulkPreview = Awaited<ReturnType<typeof previewBulk>>;
