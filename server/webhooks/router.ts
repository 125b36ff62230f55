import { z } from "zod";
import { contractProcedure, router, staffChange, staffQuery } from "@/server/auth/procedures";
import { ContractInput } from "@/terms/batch-schema";
import { WEBHOOK_EVENT_NAMES } from "@/terms/batch-terms";
import { listDeliveries, replayDelivery, sendTestEvent } from "./deliveries";
import {
  createEndpoint,
  createWithSecret,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  rotateSecret,
  toWebhookOut,
} from "./endpoints";
import {
  CreateWebhookInput,
  CreateWebhookReply,
  DeleteWebhookReply,
  ENDPOINTS_MAX,
  EventsField,
  ListWebhooksReply,
  ReplayInput,
  RotateSecretInput,
  RotateSecretReply,
  TestWebhookReply,
  WebhookKeyInput,
} from "./schema";

const WEBHOOKS = "/v1/contracts/{contractAddress}/webhooks";
const ONE_WEBHOOK = `${WEBHOOKS}/{webhookId}` as const;

export const webhooksRouter = router({
  list: contractProcedure("batches:read", "Webhooks", `GET ${WEBHOOKS}`, {
    summary: "List the webhooks of a contract",
    description: "Returns all webhooks of the contract, without their secrets.",
  })
    .input(ContractInput)
    .output(ListWebhooksReply)
    .query(async ({ ctx, input }) => ({ webhooks: (await listEndpoints(ctx, input)).map(toWebhookOut) })),

  create: contractProcedure("batches:write", "Webhooks", `POST ${WEBHOOKS}`, {
    summary: "Register a webhook",
    description:
      "From now on, posts the events of the contract's batches to `url`, signed with Standard Webhooks. " +
      "The signing secret is shown only in this reply. Safe to retry: a URL that is registered with the " +
      "same events returns that webhook, for ten minutes and to the same caller with its secret. To change " +
      `the events, delete the webhook first. A contract can have up to ${ENDPOINTS_MAX} webhooks.`,
    repeats: "always",
  })
    .input(CreateWebhookInput)
    .output(CreateWebhookReply)
    .mutation(async ({ ctx, input }) => {
      const events = input.events ?? WEBHOOK_EVENT_NAMES;
      const { endpoint, secret, replayed } = await createEndpoint(ctx, { ...input, events });
      const webhook = toWebhookOut(endpoint);
      return { webhook, ...(secret !== null && { secret }), replayed };
    }),

  delete: contractProcedure("batches:write", "Webhooks", `DELETE ${ONE_WEBHOOK}`, {
    summary: "Delete a webhook",
    description: "Stops all deliveries to the webhook, including pending ones.",
  })
    .input(WebhookKeyInput)
    .output(DeleteWebhookReply)
    .mutation(async ({ ctx, input }) => {
      await deleteEndpoint(ctx, input);
      return { webhookId: input.webhookId };
    }),

  rotateSecret: contractProcedure("batches:write", "Webhooks", `POST ${ONE_WEBHOOK}/rotate-secret`, {
    summary: "Rotate a webhook's secret",
    description:
      "Creates a new signing secret. " +
      "Both secrets sign until the overlap ends, so that the receiver has time to switch.",
    // A second one would end the secret that the receiver has.
    repeats: [],
  })
    .input(RotateSecretInput)
    .output(RotateSecretReply)
    .mutation(({ ctx, input }) => rotateSecret(ctx, input)),

  test: contractProcedure("batches:write", "Webhooks", `POST ${ONE_WEBHOOK}/test`, {
    summary: "Send a test event to a webhook",
    description: "Sends a `webhook.test` event, signed and retried like any other event.",
    repeats: [],
  })
    .input(WebhookKeyInput)
    .output(TestWebhookReply)
    .mutation(({ ctx, input }) => sendTestEvent(ctx, input)),
});

/** Webhooks in the console. For permissions see docs/architecture.md, "Roles". */
export const consoleWebhooksRouter = router({
  list: staffQuery("viewer", ContractInput, listEndpoints),
  deliveries: staffQuery("viewer", WebhookKeyInput.extend({ cursor: z.uuid().nullish() }), listDeliveries),
  create: staffChange("operator", CreateWebhookInput.extend({ events: EventsField }), createWithSecret),
  rotateSecret: staffChange("operator", RotateSecretInput, rotateSecret),
  disable: staffChange("operator", WebhookKeyInput, disableEndpoint),
  enable: staffChange("operator", WebhookKeyInput, enableEndpoint),
  delete: staffChange("operator", WebhookKeyInput, deleteEndpoint),
  test: staffChange("operator", WebhookKeyInput, sendTestEvent),
  replay: staffChange("operator", ReplayInput, replayDelivery),
});
