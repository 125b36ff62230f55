import type { CallOptions, ClientContext } from "./client-context.ts";
import { ClientError } from "./client-error.ts";
import { readBatch } from "./get-batch.ts";
import { mayPass } from "./retry-policy.ts";
import type { BatchWithTransfers } from "./shapes.ts";
import { sleep } from "./sleep.ts";
import { readNumber } from "./transport.ts";

const POLL_MS_DEFAULT = 1_000;
const POLL_MS_MAX = 30_000;
const LOOK_MS_DEFAULT = 300_000;
const OVERDUE_MS_DEFAULT = 600_000;

export interface WaitOptions extends CallOptions {
  /** About how long to wait between two looks once the batch is due; grows to 30 s. 1,000 when absent. */
  pollMs?: number;
  /** How often to look while it is not due yet, so that a cancel is noticed: 300,000 when absent. */
  lookMs?: number;
  /** How long after `finalizeAt` to give up: 600,000 when absent. */
  overdueMs?: number;
}

/** The batch that was waited for will never be finalized. */
export class BatchCancelled extends ClientError {
  override name = "BatchCancelled";
  readonly batch: BatchWithTransfers;

  constructor(batch: BatchWithTransfers) {
    super(`The batch ${batch.id} was cancelled.`);
    this.batch = batch;
    this.batchId = batch.id;
  }
}

/** The batch is long due and still not finalized, or could not be read for so long. */
export class BatchOverdue extends ClientError {
  override name = "BatchOverdue";
  /** As it was last seen. */
  readonly batch: BatchWithTransfers;

  constructor(batch: BatchWithTransfers, overdueMs: number, cause: unknown) {
    super(`The batch ${batch.id} is not known to be finalized ${overdueMs} ms after it was due.`, { cause });
    this.batch = batch;
    this.batchId = batch.id;
  }
}

/**
 * Waits until the batch is FINALIZED: sleeps until it is about due, then looks again and again, more and more seldom.
 * A service that is away meanwhile is waited for as well.
 * @throws BatchCancelled, BatchOverdue; ApiProblem `batch_not_found`, …; the signal's reason when the caller aborts
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

/** Grows by half each time, up to 30 s; half of it is chance, so that many who wait do not look at once. */
function pollDelayMs(pollMs: number, looks: number): number {
  const most = Math.min(Math.max(pollMs, POLL_MS_MAX), pollMs * 1.5 ** Math.min(looks, 50));
  return most * (0.5 + Math.random() / 2);
}
