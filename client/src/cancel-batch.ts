import { ApiProblem } from "./client-error.ts";
import { BATCH_PATH, pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

/**
 * Cancels a batch while it is PENDING.
 * @throws ApiProblem `not_cancellable` (with `extra.batchStatus` and `extra.since`), `batch_not_found`, …;
 * ConnectionFailure, UnexpectedReply
 */
export async function cancelBatch(
  ctx: ClientContext,
  batchId: string,
  options: CallOptions = {},
): Promise<{ batchId: string }> {
  try {
    await sendOperation(ctx.transport, {
      method: "DELETE",
      path: pathTo(BATCH_PATH, { contractAddress: contractOf(ctx, options), batchId }),
      member: "batchId",
      changes: true,
      batchId,
      signal: options.signal,
    });
  } catch (error) {
    if (!isOwnCancel(error)) throw error;
  }
  return { batchId };
}

/** An attempt whose reply was lost had cancelled it, so the repeat finds it CANCELLED. */
function isOwnCancel(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    error.code === "not_cancellable" &&
    error.extra.batchStatus === "CANCELLED" &&
    error.outcomeUnknown
  );
}
