import { ApiProblem } from "./client-error.ts";
import { PAYOUT_PATH, pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { CancelledPayout } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

export interface CancelPayoutOptions extends CallOptions {
  /** Called after each request, with what is done so far. */
  onProgress?: ((done: CancelledPayout) => void) | undefined;
}

/** Null if there is none, or the service is from before payouts. */
export const ifFound = <Reply>(reply: Promise<Reply>): Promise<Reply | null> =>
  reply.catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  });

/**
 * Cancels what is pending of a payout. A request of the service cancels as many batches as it has time for,
 * so this repeats it until none is left. If an attempt's reply was lost, `cancelled` does not have what that
 * one cancelled; `counts` does.
 * @throws ApiProblem `payout_not_found`, …; ConnectionFailure, UnexpectedReply
 */
export async function cancelPayout(
  ctx: ClientContext,
  payoutId: string,
  options: CancelPayoutOptions = {},
): Promise<CancelledPayout> {
  let cancelled = 0;
  for (let leftBefore = Number.POSITIVE_INFINITY; ; ) {
    const { body } = await sendOperation(ctx.transport, {
      method: "DELETE",
      path: pathTo(PAYOUT_PATH, { contractAddress: contractOf(ctx, options), payoutId }),
      member: "counts",
      changes: true,
      signal: options.signal,
    });
    const { counts, ...reply } = body as unknown as CancelledPayout;
    cancelled += reply.cancelled;
    const left = counts.pending;
    const done = { payoutId, cancelled, left, counts };
    options.onProgress?.(done);
    // Others may have changed all that a request looked at, but not again and again.
    if (left === 0 || (reply.cancelled === 0 && left >= leftBefore)) return done;
    leftBefore = left;
  }
}
