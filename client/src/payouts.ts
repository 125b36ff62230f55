import { PAYOUT_PATH, pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { CancelledPayout } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

/**
 * Cancels what is pending of a payout, up to a thousand batches a call. Repeat it while `counts.pending` is
 * not 0. If an attempt's reply was lost, `cancelled` does not have what that one cancelled; `counts` does.
 * @throws ApiProblem `payout_not_found`, …; ConnectionFailure, UnexpectedReply
 */
export async function cancelPayout(
  ctx: ClientContext,
  payoutId: string,
  options: CallOptions = {},
): Promise<CancelledPayout> {
  const { body } = await sendOperation(ctx.transport, {
    method: "DELETE",
    path: pathTo(PAYOUT_PATH, { contractAddress: contractOf(ctx, options), payoutId }),
    member: "counts",
    changes: true,
    signal: options.signal,
  });
  const { success, ...rest } = body!;
  return rest as CancelledPayout;
}
