import type { z } from "zod";
import type { BatchLimits } from "../../kernel/batch-limits";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import { batchCancelled, batchIdConflict } from "../submit/submit-errors";
import { prepareReversal } from "./prepare-reversal";
import type { ReversalDryRunReply, ReverseBatchInput } from "./reversal-schema";
import { throwObstacles } from "./reverse-batch";

interface Standing {
  due_ms: string;
  stored_digest: Buffer | null;
  stored_due_ms: string | null;
  cancelled_at: string | null;
  awaits_approval: boolean;
}

/**
 * What a reversal would do now. Stores nothing.
 * @throws DomainError the same as `reverseBatch`
 */
export async function tryReverse(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: ReverseBatchInput,
): Promise<z.output<typeof ReversalDryRunReply>> {
  const reversal = await prepareReversal(ctx, limits, input);
  const { original, transfers, total, waitSeconds, digest } = reversal;
  const contract = addressToBytes(input.contractAddress);
  // No batch has the empty ID (try-submit.ts).
  const [standing] = await ctx.db.sql<[Standing]>`
    select floor(extract(epoch from now() + ${waitSeconds}::int * interval '1 second') * 1000)::bigint as due_ms,
      b.digest as stored_digest, floor(extract(epoch from b.finalize_at) * 1000)::bigint as stored_due_ms, b.cancelled_at,
      coalesce(b.awaits_approval, ${total}::text::numeric >= r.threshold or r.on_unusual, false) as awaits_approval
    from contracts c
    left join batches b on b.contract_address = ${contract} and b.id = ${input.reversalId ?? ""}::text
    left join approval_rules r on r.contract_address = ${contract} and r.point_type = ${original.pointType}::point_type
    where c.address = ${contract}`;
  const { stored_digest: stored } = standing;
  if (stored && !stored.equals(digest)) throw batchIdConflict(input.reversalId!, stored, digest);
  if (standing.cancelled_at) throw batchCancelled(input.reversalId!, standing.cancelled_at);
  if (!stored) await throwObstacles(ctx.db, reversal);
  return {
    success: true,
    dryRun: true,
    batchId: input.reversalId ?? null,
    reverses: input.batchId,
    replayed: stored !== null,
    pointType: original.pointType,
    points: total,
    transferCount: transfers.length,
    secondsToFinalize: waitSeconds,
    finalizeAt: toTimestamp(new Date(Number(standing.stored_due_ms ?? standing.due_ms))),
    digest: digest.toString("hex"),
    ...(standing.awaits_approval ? { awaitingApproval: true as const } : {}),
  };
}
