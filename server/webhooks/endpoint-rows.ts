import type { WebhookEvent } from "../kernel/outbox/events";
import { DomainError } from "../kernel/values/problems";
import type { WebhookOut } from "./schema";

export interface EndpointKey {
  contractAddress: string;
  webhookId: string;
}

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

export const endpointNotFound = () =>
  new DomainError(
    "not_found",
    "This contract has no webhook with this ID. List the webhooks to see their IDs.",
  );
