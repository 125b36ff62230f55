import { z } from "zod";
import { router, staffProcedure } from "../auth/procedures";
import { AddressField } from "../kernel/values/fields";
import { deleteEndpoint, disableEndpoint, enableEndpoint } from "./change-endpoint";
import { createEndpoint } from "./create-endpoint";
import { listDeliveries } from "./list-deliveries";
import { listEndpoints } from "./list-endpoints";
import { replayDelivery } from "./replay-delivery";
import { rotateSecret } from "./rotate-secret";
import { webhookRules } from "./rules";
import {
  CreateWebhookInput,
  EventsField,
  ListWebhooksInput,
  RotateSecretInput,
  WebhookIdField,
  WebhookKeyInput,
} from "./schema";
import { sendTest } from "./send-test";

/** Webhooks in the console. For permissions see docs/architecture.md, "Roles". */
export const consoleWebhooksRouter = router({
  list: staffProcedure("viewer")
    .input(ListWebhooksInput)
    .query(({ ctx, input }) => listEndpoints(ctx, input)),
  deliveries: staffProcedure("viewer")
    .input(WebhookKeyInput.extend({ cursor: z.string().nullish() }))
    .query(({ ctx, input }) => listDeliveries(ctx, input)),
  create: staffProcedure("operator")
    .input(CreateWebhookInput.extend({ events: EventsField }))
    .mutation(({ ctx, input }) => createEndpoint(ctx, input, webhookRules())),
  rotateSecret: staffProcedure("operator")
    .input(RotateSecretInput)
    .mutation(({ ctx, input }) => rotateSecret(ctx, input, webhookRules().serviceSecret)),
  disable: staffProcedure("operator")
    .input(WebhookKeyInput)
    .mutation(({ ctx, input }) => disableEndpoint(ctx, input)),
  enable: staffProcedure("operator")
    .input(WebhookKeyInput)
    .mutation(({ ctx, input }) => enableEndpoint(ctx, input)),
  delete: staffProcedure("operator")
    .input(WebhookKeyInput)
    .mutation(({ ctx, input }) => deleteEndpoint(ctx, input)),
  test: staffProcedure("operator")
    .input(WebhookKeyInput)
    .mutation(({ ctx, input }) => sendTest(ctx, input)),
  replay: staffProcedure("operator")
    .input(z.strictObject({ contractAddress: AddressField, deliveryId: WebhookIdField }))
    .mutation(({ ctx, input }) => replayDelivery(ctx, input)),
});
