import type { z } from "zod";
import type { BatchLimits } from "../../kernel/batch-limits";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import { shortestPoints } from "../../kernel/values/points";
import { contractNotFound } from "../../ledger/contract-not-found";
import { requireCancelled } from "../list/corrections";
import { prepareBatch } from "./prepare-batch";
import { batchCancelled, batchIdConflict, insufficientPoints } from "./submit-errors";
import type { DryRunReply, SubmitBatchInput } from "./submit-schema";

/** No batch has this ID. With null, the join would fold to false and Citus could not route it to a single shard. */
const NO_ID = "";

interface Standing {
  issuance: "ON_DEMAND" | "PREFUNDED";
  available: string;
  lacking: string;
  after: string;
  due_ms: string;
  stored_digest: Buffer | null;
  stored_due_ms: string | null;
  cancelled_at: string | null;
  awaits_approval: boolean;
}

/**
 * What a submit of this batch would do now. Stores nothing.
 * @throws DomainError the same as a submit: `insufficient_points`, `batch_id_conflict`, `batch_cancelled`, `contract_not_found`
 */
export async function trySubmit(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: SubmitBatchInput,
): Promise<z.output<typeof DryRunReply>> {
  const batch = prepareBatch(input, limits);
  await requireCancelled(ctx, input);
  const standing = await readStanding(ctx, input, batch.total, batch.waitSeconds);
  if (!standing) throw contractNotFound(input.contractAddress);
  const { stored_digest: stored, issuance } = standing;
  if (stored && !stored.equals(batch.digest)) throw batchIdConflict(input.batchId!, stored, batch.digest);
  if (standing.cancelled_at) throw batchCancelled(input.batchId!, standing.cancelled_at);
  const available = shortestPoints(standing.available);
  const lacking = shortestPoints(standing.lacking);
  if (!stored && issuance === "PREFUNDED" && lacking !== "0") {
    throw insufficientPoints(input, { available, total: batch.total });
  }
  return {
    success: true,
    dryRun: true,
    batchId: input.batchId ?? null,
    replayed: stored !== null,
    pointType: input.pointType,
    points: batch.total,
    transferCount: input.transfers.length,
    secondsToFinalize: batch.waitSeconds,
    finalizeAt: toTimestamp(new Date(Number(standing.stored_due_ms ?? standing.due_ms))),
    digest: batch.digest.toString("hex"),
    availableBefore: available,
    availableAfter: stored ? available : shortestPoints(standing.after),
    issued: stored ? "0" : lacking,
    ...(standing.awaits_approval ? { awaitingApproval: true as const } : {}),
  };
}

async function readStanding(
  ctx: ServiceContext,
  input: SubmitBatchInput,
  total: string,
  waitSeconds: number,
): Promise<Standing | undefined> {
  const contract = addressToBytes(input.contractAddress);
  const [row] = await ctx.db.sql<Standing[]>`
    select c.issuance, a.available, greatest(${total}::text::numeric - a.available, 0) as lacking,
      greatest(a.available - ${total}::text::numeric, 0) as after,
      floor(extract(epoch from now() + ${waitSeconds}::int * interval '1 second') * 1000)::bigint as due_ms,
      b.digest as stored_digest, floor(extract(epoch from b.finalize_at) * 1000)::bigint as stored_due_ms,
      b.cancelled_at, coalesce(b.awaits_approval, ${total}::text::numeric >= r.threshold or r.on_unusual, false) as awaits_approval
    from contracts c
    join (select address, earned + received - sent - pending as available from accounts
      where address = ${contract} and point_type = ${input.pointType}::point_type) a on a.address = c.address
    left join batches b on b.contract_address = ${contract} and b.id = ${input.batchId ?? NO_ID}::text
    left join approval_rules r on r.contract_address = ${contract} and r.point_type = ${input.pointType}::point_type
    where c.address = ${contract}`;
  return row;
}
