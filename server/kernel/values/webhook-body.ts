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
  metadata?: Metadata | null | undefined;
}

/** The body of an event about a batch, for the service and for `point-batches webhooks listen`. */
export function webhookBody(event: WebhookEvent, timestamp: string, batch: EventBatch): string {
  const { id, contractAddress, pointType, points, transferCount, digest, createdAt, finalizeAt } = batch;
  const { reverses, metadata } = batch;
  const status = WEBHOOK_EVENTS[event];
  const data = {
    ...{
      contractAddress,
      batchId: id,
      status,
      pointType,
      points,
      transferCount,
      digest,
      createdAt,
      finalizeAt,
    },
    ...(reverses && { reverses }),
    ...(metadata && { metadata }),
  };
  return JSON.stringify({ type: event, timestamp, data });
}
