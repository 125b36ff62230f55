import type { BatchStatus } from "../values/batch-state";

/** What an endpoint may hear of, and the state that the batch is in then. */
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

/** Sent when somebody asks for it; never subscribed to. */
export const TEST_EVENT = "webhook.test";
