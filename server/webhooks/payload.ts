import { TEST_EVENT, WEBHOOK_EVENTS } from "../kernel/outbox/events";
import { addressFromBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { shortestPoints } from "../kernel/values/points";
import type { ClaimedDelivery } from "./claim-deliveries";

/**
 * The body of a delivery: the batch as it was at the event. It is byte-for-byte the same on every attempt, so it contains
 * nothing that changes later.
 */
export function payloadOf(
  delivery: Pick<ClaimedDelivery, "contract_address" | "event" | "event_at" | "batch">,
): string {
  const { event, batch } = delivery;
  const contractAddress = addressFromBytes(delivery.contract_address);
  return JSON.stringify({
    type: event,
    timestamp: toTimestamp(delivery.event_at),
    data:
      event === TEST_EVENT || !batch
        ? { contractAddress }
        : {
            contractAddress,
            batchId: batch.id,
            status: WEBHOOK_EVENTS[event],
            pointType: batch.pointType,
            points: shortestPoints(batch.points),
            transferCount: batch.transferCount,
            digest: batch.digest,
            createdAt: toTimestamp(batch.createdAt),
            finalizeAt: toTimestamp(batch.finalizeAt),
            ...(batch.reverses === null ? {} : { reverses: batch.reverses }),
          },
  });
}
