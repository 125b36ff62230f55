import { BATCH_PATH, pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { BatchWithTransfers } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

/** Smaller clock differences are ignored, because `Date` headers have whole seconds. */
const CLOCK_AHEAD_MS_MIN = 2_000;

/**
 * One batch with its digest and all its transfers.
 * @throws ApiProblem `batch_not_found`, …; ConnectionFailure, UnexpectedReply
 */
export async function getBatch(
  ctx: ClientContext,
  batchId: string,
  options: CallOptions = {},
): Promise<BatchWithTransfers> {
  const { batch } = await readBatch(ctx, batchId, options);
  return batch!;
}

/** The batch is null if it still matches. @param ifNoneMatch the ETag of an earlier read */
export async function readBatch(
  ctx: ClientContext,
  batchId: string,
  options: CallOptions,
  ifNoneMatch: string | null = null,
) {
  const { headers, body } = await sendOperation(ctx.transport, {
    method: "GET",
    path: pathTo(BATCH_PATH, { contractAddress: contractOf(ctx, options), batchId }),
    headers: ifNoneMatch === null ? {} : { "If-None-Match": ifNoneMatch },
    member: "batch",
    batchId,
    signal: options.signal,
  });
  return {
    batch: body && (body.batch as BatchWithTransfers),
    etag: headers.get("ETag"),
    clockAheadMs: clockAheadMs(headers.get("Date")),
  };
}

/** How far the service's clock is ahead of this machine's; 0 if unknown or negligible. */
function clockAheadMs(date: string | null): number {
  const ahead = Date.parse(date ?? "") - Date.now();
  return Math.abs(ahead) >= CLOCK_AHEAD_MS_MIN ? ahead : 0;
}
