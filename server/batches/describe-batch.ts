import type { ServiceContext } from "../context";
import type { ConsoleBatchDetail, TimelineEntry } from "./console-schema";
import { findBatch, type StoredBatch } from "./get-batch";
import { databaseNow, withLabels } from "./list-console-batches";
import { toTimestamp } from "./rows";

/** A batch as its console page shows it, with its timeline. @throws DomainError `batch_not_found` */
export async function describeBatch(
  ctx: ServiceContext,
  input: { contractAddress: string; batchId: string },
): Promise<ConsoleBatchDetail> {
  const stored = await findBatch(ctx, input.contractAddress, input.batchId);
  const [[batch], now] = await Promise.all([withLabels(ctx, [stored]), databaseNow(ctx)]);
  return {
    ...batch!,
    digest: stored.digest.toString("hex"),
    waitSeconds: stored.waitSeconds,
    timeline: timeline(stored),
    now,
  };
}

function timeline(batch: StoredBatch): TimelineEntry[] {
  const steps: [TimelineEntry["event"], Date | null, string | null, string | null, string | null][] = [
    ["created", batch.createdAt, batch.submittedBy, batch.submitRequestId, null],
    ["claimed", batch.claimedAt, "finalizer", null, null],
    ["finalized", batch.finalizedAt, "finalizer", null, null],
    ["cancelled", batch.cancelledAt, batch.cancelledBy, batch.cancelRequestId, batch.cancelReason],
  ];
  return steps
    .filter(
      (step): step is [TimelineEntry["event"], Date, string | null, string | null, string | null] =>
        step[1] !== null,
    )
    .map(([event, at, by, requestId, reason]) => ({ event, at: toTimestamp(at), by, requestId, reason }));
}
