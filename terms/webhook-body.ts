import { type Metadata, WEBHOOK_EVENTS, type WebhookEvent } from "./batch-terms";

/** A batch as it was at an event. */
interface EventBatch {
  id: string;
  contractAddress: string;
  pointType: string;
  points: string;
  transferCount: number;
  digest: string;
  createdAt: string;
  finalizeAt: string;
  /** On a reversal: the ID of the batch that it takes back. */
  reverses?: string | null | undefined;
  payoutId?: string | null | undefined;
  metadata?: Metadata | null | undefined;
}

/** The body of an event about a batch, for the service and for `point-batches webhooks listen`. */
export function webhookBody(event: WebhookEvent, timestamp: string, batch: EventBatch): string {
  const data = {
    contractAddress: batch.contractAddress,
    batchId: batch.id,
    status: WEBHOOK_EVENTS[event],
    pointType: batch.pointType,
    points: batch.points,
    transferCount: batch.transferCount,
    digest: batch.digest,
    createdAt: batch.createdAt,
    finalizeAt: batch.finalizeAt,
    reverses: batch.reverses || undefined,
    metadata: batch.metadata || undefined,
    payoutId: batch.payoutId || undefined,
  };
  return JSON.stringify({ type: event, timestamp, data });
}
