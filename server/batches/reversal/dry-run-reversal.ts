import type { z } from "zod";
import type { BatchLimits } from "../../kernel/batch-limits";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import { type DryRunRow, dryRunReply, NO_ID, wouldAwait } from "../submit/dry-run-submit";
import { refuseObstacles } from "./obstacles";
import { prepareReversal } from "./prepare-reversal";
import type { ReversalDryRunReply, ReverseBatchInput } from "./reversal-schema";

/**
 * What a reversal would do now. Stores nothing.
 * @throws DomainError the same as `reverseBatch`
 */
export async function dryRunReversal(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: ReverseBatchInput,
): Promise<z.output<typeof ReversalDryRunReply>> {
  const reversal = await prepareReversal(ctx, limits, input);
  const { original, transfers, total, waitSeconds } = reversal;
  const contract = addressToBytes(input.contractAddress);
  const [row] = await ctx.db.sql<[DryRunRow]>`
    select floor(extract(epoch from now() + ${waitSeconds}::int * interval '1 second') * 1000)::bigint as due_ms,
      b.digest as stored_digest, floor(extract(epoch from b.finalize_at) * 1000)::bigint as stored_due_ms, b.cancelled_at,
      ${wouldAwait(ctx.db, total)} as awaits_approval
    from contracts c
    left join batches b on b.contract_address = ${contract} and b.id = ${input.reversalId ?? NO_ID}::text
    left join approval_rules r on r.contract_address = ${contract} and r.point_type = ${original.pointType}::point_type
    where c.address = ${contract}`;
  const reply = dryRunReply(row, input.reversalId, {
    ...reversal,
    pointType: original.pointType,
    transferCount: transfers.length,
  });
  if (!reply.replayed) await refuseObstacles(ctx.db, reversal);
  return { ...reply, reverses: input.batchId };
}
