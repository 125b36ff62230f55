import type { WebhookEvent } from "../kernel/outbox/events";
import type { WebhookOut } from "./schema";

/** An endpoint as shown to staff and contracts, always without its secret. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  events: WebhookEvent[];
  createdAt: string;
  disabledAt: string | null;
  /** `staff`: disabled in the console; `failures`: failed for five days; `gone`: responded with 410. */
  disabledReason: "staff" | "failures" | "gone" | null;
  /** When it first accepted a delivery. Null for one that never did. */
  firstDeliveredAt: string | null;
  /** Time of the first failure since the last success. */
  failingSince: string | null;
  /** Until when the previous secret also signs. */
  previousSecretUntil: string | null;
}

/** An endpoint as returned by `/v1`. */
export const toWebhookOut = ({
  disabledReason: _,
  firstDeliveredAt: _first,
  ...endpoint
}: WebhookEndpoint): WebhookOut => endpoint;

export interface EndpointRow {
  id: string;
  url: string;
  events: WebhookEvent[];
  created_at: string;
  disabled_at: string | null;
  disabled_reason: WebhookEndpoint["disabledReason"];
  first_delivered_at: string | null;
  failing_since: string | null;
  previous_secret_until: string | null;
}

export function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    createdAt: toTimestamp(row.created_at),
    disabledAt: row.disabled_at && toTimestamp(row.disabled_at),
    disabledReason: row.disabled_reason,
    firstDeliveredAt: row.first_delivered_at && toTimestamp(row.first_delivered_at),
    failingSince: row.failing_since && toTimestamp(row.failing_since),
    previousSecretUntil: row.previous_secret_until && toTimestamp(row.previous_secret_until),
  };
}

export const toTimestamp = (text: string) => new Date(text).toISOString();
