import { pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { NewReversal, ReversalDryRun, SubmittedBatch } from "./shapes.ts";
import { newBatchId, submittedBatch } from "./submit-batch.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

const REVERSAL_PATH = "/v1/contracts/{contractAddress}/batches/{batchId}/reversal";

/**
 * Takes back a FINALIZED batch, or the transfers to some of its recipients, under an id, so that a retry is
 * safe. The reversal is a batch of its own that waits like any other: nothing is taken back before it is
 * FINALIZED.
 * @throws ApiProblem `batch_not_finalized`, `already_reversed` (with `extra.reversed`), `recipients_short`
 * (with `extra.recipients`), `batch_id_conflict`, `batch_cancelled`, …; ConnectionFailure, UnexpectedReply.
 * Each has the `batchId` of the reversal, under which to repeat the call if `outcomeUnknown`.
 */
export async function reverseBatch(
  ctx: ClientContext,
  batchId: string,
  reversal: NewReversal = {},
  options: CallOptions = {},
): Promise<SubmittedBatch> {
  const reversalId = reversal.reversalId ?? newBatchId();
  const reply = await sendOperation(ctx.transport, {
    method: "POST",
    path: pathTo(REVERSAL_PATH, { contractAddress: contractOf(ctx, options), batchId }),
    body: { ...reversal, reversalId },
    repeat: "always",
    member: "batchId",
    changes: true,
    batchId: reversalId,
    signal: options.signal,
  });
  return submittedBatch(reply);
}

/** What `reverseBatch` would do. Stores nothing, and fails as it would. */
export async function dryRunReversal(
  ctx: ClientContext,
  batchId: string,
  reversal: NewReversal = {},
  options: CallOptions = {},
): Promise<ReversalDryRun> {
  const { body } = await sendOperation(ctx.transport, {
    method: "POST",
    path: pathTo(REVERSAL_PATH, { contractAddress: contractOf(ctx, options), batchId }),
    query: { dryRun: true },
    repeat: "always",
    body: reversal,
    member: "dryRun",
    signal: options.signal,
  });
  return body as unknown as ReversalDryRun;
}
