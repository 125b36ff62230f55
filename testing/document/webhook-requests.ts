import { randomUUID } from "node:crypto";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { testContext } from "../factories";
import { asOperator, type OperationRow, to, unreadable, withBody } from "./calls";
import type { DocumentWorld } from "./world";

/** The contract's only webhook, because a contract may have only a few. */
const webhook = async ({ db, contract }: DocumentWorld) => {
  await db.sql`delete from webhook_endpoints`;
  const { endpoint } = await createEndpoint(
    testContext(db),
    { contractAddress: contract, url: "https://example.com/hook", events: ["batch.created"] },
    { serviceSecret: "auth-secret-of-this-test-run", allowPrivate: false },
  );
  return `/webhooks/${endpoint.id}`;
};
const unknownWebhook = () => `/webhooks/${randomUUID()}`;
const WEBHOOK = { url: "https://example.com/hook" };
const makeWebhook = to(
  "POST",
  async (world) => {
    await webhook(world);
    return "/webhooks";
  },
  WEBHOOK,
);
const webhooks = to("GET", () => "/webhooks");
const deleteWebhook = to("DELETE", webhook);
const rotate = to("POST", async (world) => `${await webhook(world)}/rotate-secret`, {});
const testWebhook = to("POST", async (world) => `${await webhook(world)}/test`);

/** A row per webhook operation of the document. */
export const WEBHOOK_ROWS: Record<string, OperationRow> = {
  "webhooks-list": { scope: "batches:read", good: webhooks, refused: [withBody(webhooks)] },
  "webhooks-create": {
    scope: "batches:write",
    good: makeWebhook,
    alsoGood: [
      asOperator(makeWebhook),
      to("POST", () => "/webhooks", { ...WEBHOOK, events: ["batch.held"] }),
    ],
    refused: [...unreadable(makeWebhook), to("POST", () => "/webhooks", { url: "https://127.0.0.1/" })],
  },
  "webhooks-delete": {
    scope: "batches:write",
    good: deleteWebhook,
    refused: [to("DELETE", unknownWebhook), withBody(deleteWebhook)],
  },
  "webhooks-rotateSecret": {
    scope: "batches:write",
    good: rotate,
    alsoGood: [to("POST", async (world) => `${await webhook(world)}/rotate-secret`, { overlapSeconds: 0 })],
    refused: [...unreadable(rotate), to("POST", () => `${unknownWebhook()}/rotate-secret`, {})],
  },
  "webhooks-test": {
    scope: "batches:write",
    good: testWebhook,
    refused: [to("POST", () => `${unknownWebhook()}/test`), withBody(testWebhook)],
  },
};
