import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltApp, newContractToken, startBuiltApp } from "@/testing/launch-app";
import { type Receiver, startReceiver } from "@/testing/local-servers";

const CONTRACT = "0x000000000000000000000000000000000a11ce01";
const BATCH = {
  pointType: "PHASE2_POINTS",
  secondsToFinalize: 1,
  transfers: [{ toAddress: "0x000000000000000000000000000000000000dEaD", points: "10.50" }],
};

let app: BuiltApp;
let receiver: Receiver;
let token: string;
const ENVIRONMENT = { WEBHOOK_ALLOW_PRIVATE: "on", MINIMUM_FINALIZE_SECONDS: "1" };
beforeAll(async () => {
  receiver = await startReceiver();
  app = await startBuiltApp({ environment: ENVIRONMENT });
  token = await newContractToken(app, CONTRACT);
});
afterAll(async () => {
  await app?.stop();
  await receiver?.close();
});

async function call(method: string, path: string, body?: unknown) {
  const reply = await fetch(`${app.url}/v1/contracts/${CONTRACT}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

async function register(body: object = { url: receiver.url }) {
  const made = await call("POST", "/webhooks", body);
  expect(made.status).toBe(200);
  return made.body as unknown as { webhook: { id: string; events: string[] }; secret: string };
}

describe("webhooks over REST", () => {
  test("a contract registers a webhook, gets its batch's events, rotates the secret, sends a test and deletes it", async () => {
    const { webhook, secret } = await register();
    expect(webhook.events).toHaveLength(6);
    const listed = await call("GET", "/webhooks");
    expect(listed.body).toMatchObject({
      webhooks: [{ id: webhook.id, url: receiver.url, disabledAt: null }],
    });
    expect(JSON.stringify(listed.body)).not.toContain("whsec_");

    expect((await call("PUT", "/batches/heard", BATCH)).status).toBe(200);
    const payloads = (await receiver.untilReceived(3)).map(
      ({ body, headers }) => new Webhook(secret).verify(body, headers) as { type: string; data: object },
    );
    expect(payloads.map(({ type }) => type).sort()).toEqual([
      "batch.created",
      "batch.finalized",
      "batch.finalizing",
    ]);
    expect(payloads.find(({ type }) => type === "batch.finalized")!.data).toMatchObject({
      batchId: "heard",
      status: "FINALIZED",
      points: "10.5",
      transferCount: 1,
    });

    const one = `/webhooks/${webhook.id}`;
    const rotated = await call("POST", `${one}/rotate-secret`, { overlapSeconds: 3600 });
    const tested = await call("POST", `${one}/test`);
    const [, , , test1] = await receiver.untilReceived(4);
    expect(test1!.id).toBe(tested.body.deliveryId);
    for (const each of [secret, rotated.body.secret as string])
      new Webhook(each).verify(test1!.body, test1!.headers);

    expect((await call("DELETE", one)).body).toEqual({ success: true, webhookId: webhook.id });
    expect((await call("DELETE", one)).status).toBe(404);
    expect((await call("POST", `${one}/test`)).status).toBe(404);
    expect((await call("GET", "/webhooks")).body.webhooks).toEqual([]);
  });

  test("the eleventh webhook is refused, even when all are requested at the same time", async () => {
    const replies = await Promise.all(
      Array.from({ length: 14 }, () => call("POST", "/webhooks", { url: "https://example.com/" })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    const { webhooks } = (await call("GET", "/webhooks")).body as { webhooks: { id: string }[] };
    await Promise.all(webhooks.map(({ id }) => call("DELETE", `/webhooks/${id}`)));
  });
});
