import { z } from "zod";
import { WEBHOOK_EVENT_NAMES } from "../kernel/outbox/events";
import { AddressField, rule, SuccessField, TimestampOut } from "../kernel/values/fields";
import { ENDPOINTS_MAX, OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX, URL_CHARS_MAX } from "./bounds";

const UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";

export const WebhookIdField = z
  .string()
  .refine((value) => new RegExp(UUID).test(value), rule("invalid_value", "must be the id of a webhook"))
  .meta({
    description: "Identifier of the webhook.",
    pattern: UUID,
    maxLength: 36,
    examples: ["7d9f1c1e-6f5e-4c57-9f0a-2b1d3c4e5f60"],
  });

const UrlField = z.string().meta({
  description: "Where events are posted to: `https` and a public address.",
  pattern: "^https?://[\\x21-\\x7e]+$",
  maxLength: URL_CHARS_MAX,
  examples: ["https://example.com/webhooks/points"],
});

const EventField = z.enum(WEBHOOK_EVENT_NAMES);

/** The bounds stand in refinements so that each has a code of ours. */
export const EventsField = z
  .array(EventField)
  .max(WEBHOOK_EVENT_NAMES.length)
  .refine((events) => events.length > 0, rule("required", "must name at least one event"))
  .refine((events) => new Set(events).size === events.length, rule("invalid_value", "repeats an event"))
  .meta({
    description: "What it wants to hear of; every event when absent.",
    minItems: 1,
    uniqueItems: true,
  });

const SecretField = z.string().meta({
  description: "Checks the signatures (Standard Webhooks). Shown this once.",
  pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
  maxLength: 50,
});

const WebhookOut = z
  .strictObject({
    id: WebhookIdField,
    url: UrlField,
    events: z
      .array(EventField)
      .meta({ description: "What it hears of.", maxItems: WEBHOOK_EVENT_NAMES.length }),
    createdAt: TimestampOut.meta({ description: "When it was registered." }),
    disabledAt: TimestampOut.nullable().meta({
      description:
        "Since when nothing is sent to it: staff disabled it, it failed for days, or it answered 410.",
    }),
    failingSince: TimestampOut.nullable().meta({
      description: "Since when every try has failed; null when the last one succeeded.",
    }),
    previousSecretUntil: TimestampOut.nullable().meta({
      description: "Until when the secret before the last rotation signs too.",
    }),
  })
  .meta({ id: "Webhook" });
export type WebhookOut = z.output<typeof WebhookOut>;

export const ListWebhooksInput = z.strictObject({ contractAddress: AddressField });
export const CreateWebhookInput = z.strictObject({
  contractAddress: AddressField,
  url: UrlField,
  events: EventsField.optional(),
});
export const WebhookKeyInput = z.strictObject({ contractAddress: AddressField, webhookId: WebhookIdField });
export const RotateSecretInput = WebhookKeyInput.extend({
  overlapSeconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS_MAX)
    .meta({
      format: "int32",
      description: "How long the old secret signs too; 0 ends it at once.",
      default: OVERLAP_SECONDS_DEFAULT,
    })
    .optional(),
});

export const ListWebhooksReply = z
  .strictObject({
    success: SuccessField,
    webhooks: z.array(WebhookOut).meta({ description: "Oldest first.", maxItems: ENDPOINTS_MAX }),
  })
  .meta({ id: "Webhooks" });
export const CreateWebhookReply = z
  .strictObject({ success: SuccessField, webhook: WebhookOut, secret: SecretField })
  .meta({ id: "WebhookCreated" });
export const DeleteWebhookReply = z
  .strictObject({ success: SuccessField, webhookId: WebhookIdField })
  .meta({ id: "WebhookDeleted" });
export const RotateSecretReply = z
  .strictObject({
    success: SuccessField,
    secret: SecretField,
    previousSecretUntil: TimestampOut.nullable().meta({
      description: "Until when the old secret signs too; null when it ended at once.",
    }),
  })
  .meta({ id: "SecretRotated" });
export const TestWebhookReply = z
  .strictObject({
    success: SuccessField,
    deliveryId: WebhookIdField.meta({ description: "The `webhook-id` that it will be sent under." }),
  })
  .meta({ id: "WebhookTested" });
