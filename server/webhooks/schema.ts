import { z } from "zod";
import { ContractInput } from "@/terms/batch-schema";
import { WEBHOOK_EVENT_NAMES } from "@/terms/batch-terms";
import { objectOf, replyOf, rule, TimestampOut, wholeNumber } from "@/terms/fields";

/** Every change of a batch writes a row for each endpoint of its contract. */
export const ENDPOINTS_MAX = 10;
export const URL_CHARS_MAX = 2048;

/** How long the old secret signs next to the new one by default. */
export const OVERLAP_SECONDS_DEFAULT = 86_400;
export const OVERLAP_SECONDS_MAX = 604_800;

const UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";

export const WebhookIdField = z
  .string()
  .refine((value) => new RegExp(UUID).test(value), rule("invalid_value", "must be a webhook ID"))
  .meta({
    description: "The webhook's ID.",
    pattern: UUID,
    maxLength: 36,
    examples: ["7d9f1c1e-6f5e-4c57-9f0a-2b1d3c4e5f60"],
  });

const UrlField = z.string().meta({
  description:
    "The URL that events are posted to. " +
    "Must be public and start with `https://`, with the port 443 or another that the service allows.",
  pattern: "^https?://[\\x21-\\x7e]+$",
  maxLength: URL_CHARS_MAX,
  examples: ["https://example.com/webhooks/points"],
});

const EventField = z.enum(WEBHOOK_EVENT_NAMES);

/** Bounds are refinements, so that each has its own error code. */
export const EventsField = z
  .array(EventField)
  .max(WEBHOOK_EVENT_NAMES.length)
  .refine((events) => events.length > 0, rule("required", "must contain at least one event"))
  .refine(
    (events) => new Set(events).size === events.length,
    rule("invalid_value", "must not repeat an event"),
  )
  .meta({ description: "The events to send. All events by default.", minItems: 1, uniqueItems: true });

const SecretField = z.string().meta({
  description: "The secret that verifies signatures (Standard Webhooks). Shown only once.",
  pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
  maxLength: 50,
});

const WebhookOut = objectOf("Webhook", {
  id: WebhookIdField,
  url: UrlField,
  events: z
    .array(EventField)
    .meta({ description: "The events that are sent.", maxItems: WEBHOOK_EVENT_NAMES.length }),
  createdAt: TimestampOut.meta({ description: "When the webhook was registered." }),
  disabledAt: TimestampOut.nullable().meta({
    description:
      "When the webhook was disabled: by staff, after failing for five days, or after a 410 response. " +
      "Null while it is enabled.",
  }),
  failingSince: TimestampOut.nullable().meta({
    description: "When the current series of failures began. Null if the last attempt succeeded.",
  }),
  previousSecretUntil: TimestampOut.nullable().meta({
    description: "When the previous secret stops signing. Null if only the current one signs.",
  }),
});
export type WebhookOut = z.output<typeof WebhookOut>;

export const CreateWebhookInput = ContractInput.extend({ url: UrlField, events: EventsField.optional() });
export const WebhookKeyInput = ContractInput.extend({ webhookId: WebhookIdField });
export type EndpointKey = z.output<typeof WebhookKeyInput>;
export const ReplayInput = ContractInput.extend({ deliveryId: WebhookIdField });
export type ReplayInput = z.output<typeof ReplayInput>;
export const RotateSecretInput = WebhookKeyInput.extend({
  overlapSeconds: wholeNumber(0, OVERLAP_SECONDS_MAX, {
    description: "Seconds for which the old secret keeps signing. 0 revokes it immediately.",
    default: OVERLAP_SECONDS_DEFAULT,
  }).optional(),
});

export const ListWebhooksReply = replyOf("Webhooks", {
  webhooks: z.array(WebhookOut).meta({ description: "Oldest first.", maxItems: ENDPOINTS_MAX }),
});
export const CreateWebhookReply = replyOf("WebhookCreated", {
  webhook: WebhookOut,
  secret: SecretField.meta({
    description:
      "The secret that verifies signatures (Standard Webhooks). Shown only once, and for ten minutes in " +
      "repeats by the same caller. Later repeats do not have it: rotate the secret to get a new one.",
  }).optional(),
  replayed: z.boolean().meta({ description: "`true` when the webhook was already registered." }),
});
export const DeleteWebhookReply = replyOf("WebhookDeleted", { webhookId: WebhookIdField });
export const RotateSecretReply = replyOf("SecretRotated", {
  secret: SecretField,
  previousSecretUntil: TimestampOut.nullable().meta({
    description: "When the old secret stops signing. Null if it was revoked immediately.",
  }),
});
export const TestWebhookReply = replyOf("WebhookTested", {
  deliveryId: WebhookIdField.meta({ description: "The `webhook-id` of the test event." }),
});
