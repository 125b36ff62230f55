import type { BatchStatus } from "../values/batch-state";

/** The events that an endpoint can subscribe to, and the status of the batch at that time. */
export const WEBHOOK_EVENTS = {
  "batch.created": "PENDING",
  "batch.cancelled": "CANCELLED",
  "batch.held": "PENDING",
  "batch.released": "PENDING",
  "batch.finalizing": "FINALIZING",
  "batch.finalized": "FINALIZED",
} as const satisfies Record<`batch.${string}`, BatchStatus>;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** Sent on request only. Endpoints do not subscribe to it. */
export const TEST_EVENT = "webhook.test";
