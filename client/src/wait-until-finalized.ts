import { ClientError } from "./client-error.ts";
import { readBatch } from "./get-batch.ts";
import { mayPass, sleep } from "./retry-policy.ts";
import type { BatchWithTransfers } from "./shapes.ts";
import { type CallOptions, type ClientContext, readNumber } from "./transport.ts";

const POLL_MS_DEFAULT = 1_000;
const POLL_MS_MAX = 30_000;
const LOOK_MS_DEFAULT = 300_000;
const OVERDUE_MS_DEFAULT = 600_000;

export interface WaitOptions extends CallOptions {
  /** The approximate wait between two reads of a due batch, in ms; grows to 30 s. 1,000 when absent. */
  pollMs?: number;
  /** The wait between reads before it is due, in ms, to notice a cancel: 300,000 when absent. */
  lookMs?: number;
  /** How long after `finalizeAt` to give up, in ms: 600,000 when absent. */
  overdueMs?: number;
}

/** The batch was cancelled and will never be finalized. */
export class BatchCancelled extends ClientError {
  override name = "BatchCancelled";

  constructor(readonly batch: BatchWithTransfers) {
    super(`The batch ${batch.id} was cancelled.`);
    this.batchId = batch.id;
  }
}

/** The batch is overdue and still not finalized, or could not be read for that long. */
export class BatchOverdue extends ClientError {
  override name = "BatchOverdue";

  /** @param batch as last seen */
  constructor(
    readonly batch: BatchWithTransfers,
    overdueMs: number,
    cause: unknown,
  ) {
    super(`The batch ${batch.id} was not seen as finalized within ${overdueMs} ms after it was due.`, {
      cause,
    });
    this.batchId = batch.id;
  }
}

/**
 * Waits until the batch is FINALIZED. It sleeps until the batch is almost due, then reads it less and less
 * often. It keeps waiting while the service is unavailable.
 * @throws BatchCancelled, BatchOverdue; ApiProblem `batch_not_found`, …; the signal's reason when the caller
 * aborts
 */
export async function waitUntilFinalized(
  ctx: ClientContext,
  batchId: string,
  options: WaitOptions = {},
): Promise<BatchWithTransfers> {
  const pollMs = readNumber("pollMs", options.pollMs, POLL_MS_DEFAULT, 1);
  const lookMs = readNumber("lookMs", options.lookMs, LOOK_MS_DEFAULT, 1);
  const overdueMs = readNumber("overdueMs", options.overdueMs, OVERDUE_MS_DEFAULT, 0);
  let reading = await readBatch(ctx, batchId, options);
  let batch = reading.batch!;
  let failure: unknown;
  for (let looks = 0; ; ) {
    if (batch.status === "FINALIZED") return batch;
    if (batch.status === "CANCELLED") throw new BatchCancelled(batch);
    const dueInMs = Date.parse(batch.finalizeAt) - Date.now() - reading.clockAheadMs;
    if (-dueInMs > overdueMs) throw new BatchOverdue(batch, overdueMs, failure);
    const isDue = dueInMs <= 0 || batch.status === "FINALIZING";
    await sleep(isDue ? pollDelayMs(pollMs, looks++) : Math.min(dueInMs, lookMs), options.signal);
    try {
      const next = await readBatch(ctx, batchId, options, reading.etag);
      batch = next.batch ?? batch;
      reading = { ...next, etag: next.etag ?? reading.etag };
      failure = undefined;
    } catch (error) {
      if (!(error instanceof ClientError) || !mayPass(error)) throw error;
      failure = error;
    }
  }
}

/** Grows by half each time, up to 30 s. Half of it is random, so that clients spread their reads. */
function pollDelayMs(pollMs: number, looks: number): number {
  const most = Math.min(Math.max(pollMs, POLL_MS_MAX), pollMs * 1.5 ** Math.min(looks, 50));
  return most * (0.5 + Math.random() / 2);
}
