import { expect, test } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { TEST_EVENT } from "@/terms/batch-terms";
import { newContract, shifted, times } from "@/testing/factories";
import { callApi } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";

const { db, context } = useLedger({ serves: true });

const URL_OF_RECEIVER = "https://example.com/webhooks/points";

/** A contract, and calls of two of its tokens. */
async function receiverWorld() {
  const contractAddress = await newContract(db);
  const tokenNamed = (name: string) =>
    createAccessToken(context("ops"), { contractAddress, name, scopes: ["batches:write"], expiresAt: null });
  const [one, other] = [await tokenNamed("one"), await tokenNamed("other")];
  const path = `/v1/contracts/${contractAddress}/webhooks`;
  const register =
    ({ token }: { token: string }) =>
    async (body: object = {}) => {
      const reply = await callApi(token, "POST", path, { url: URL_OF_RECEIVER, ...body });
      return { status: reply.status, ...reply.body };
    };
  const stored = async () => {
    const endpoints = await callerOf(db, "viewer").webhooks.list({ contractAddress });
    return endpoints.map(({ id }) => id);
  };
  const age = (minutes: number) =>
    db.sql.unsafe(`update webhook_endpoints set created_at = ${shifted("created_at", -60 * minutes)}`);
  return { contractAddress, register: register(one), registerAsOther: register(other), stored, age };
}

test("a URL that is registered again, also at the same time, is one webhook with one secret, audited once", async () => {
  const { contractAddress, register, stored } = await receiverWorld();
  const replies = await times(5, () => register());
  const first = replies.find(({ replayed }) => !replayed)!;
  expect(first).toMatchObject({ status: 200, success: true, secret: expect.stringMatching(/^whsec_/) });
  for (const { replayed: _, ...reply } of replies) expect({ replayed: false, ...reply }).toEqual(first);
  expect(replies.filter(({ replayed }) => replayed)).toHaveLength(4);
  expect(await stored()).toEqual([first.webhook.id]);
  const audited = await db.sql`
    select 1 from audit_log where target = ${`contract:${contractAddress}`} and action = 'webhook.create'`;
  expect(audited).toHaveLength(1);
});

test("a repeat has the secret only for ten minutes and for the token that registered the webhook", async () => {
  const { register, registerAsOther, age } = await receiverWorld();
  const { webhook } = await register();
  const withoutSecret = { status: 200, success: true, replayed: true, webhook };
  expect(await registerAsOther()).toEqual(withoutSecret);
  await age(9);
  expect(await register()).toMatchObject({ replayed: true, secret: expect.any(String) });
  await age(2);
  expect(await register()).toMatchObject({ replayed: true });
  expect(await register()).not.toHaveProperty("secret");
});

test("the order of the events does not matter, but other events are refused with the ID of the webhook that has the URL", async () => {
  const { register, stored } = await receiverWorld();
  const { webhook } = await register({ events: ["batch.finalized", "batch.cancelled"] });
  const again = await register({ events: ["batch.cancelled", "batch.finalized"] });
  expect(again).toMatchObject({ replayed: true, webhook: { id: webhook.id } });
  for (const body of [{}, { events: ["batch.finalized"] }])
    expect(await register(body)).toMatchObject({
      status: 400,
      code: "validation_failed",
      detail: `/url is already registered with other events, as the webhook ${webhook.id}: delete it first.`,
      errors: [{ pointer: "/url", code: "invalid_value" }],
    });
  expect(await stored()).toEqual([webhook.id]);
  expect(await register({ url: `${URL_OF_RECEIVER}/other` })).toMatchObject({ replayed: false });
});

test("a disabled webhook is refused with its ID, not taken for one that works", async () => {
  const { contractAddress, register } = await receiverWorld();
  const { webhook } = await register();
  const { webhooks } = callerOf(db, "operator");
  await webhooks.disable({ contractAddress, webhookId: webhook.id });
  expect(await register()).toMatchObject({
    status: 400,
    detail:
      `/url is already registered, as the webhook ${webhook.id}, which is disabled: ` +
      "enable it or delete it first.",
  });
});

test("of several webhooks with one URL, which earlier versions stored, the one that is enabled and has the events is answered", async () => {
  const { register, stored } = await receiverWorld();
  const { webhook } = await register();
  const copy = (events: string, disabled: boolean) => db.sql`
    insert into webhook_endpoints (contract_address, id, url, events, secret_sealed, created_by, created_at,
      disabled_at, disabled_reason)
    select contract_address, gen_random_uuid(), url, ${events}::text::text[], secret_sealed, created_by,
      created_at - interval '1 day', case when ${disabled}::boolean then now() end,
      case when ${disabled}::boolean then 'staff' end
    from webhook_endpoints where id = ${webhook.id}::uuid`;
  await copy("{batch.held}", false);
  await copy(`{${webhook.events}}`, true);
  expect(await register()).toMatchObject({ replayed: true, webhook: { id: webhook.id } });
  expect(await stored()).toHaveLength(3);
});

test("in the console, a URL that is registered is refused once its secret is not shown any more", async () => {
  const { contractAddress, age } = await receiverWorld();
  const { webhooks } = callerOf(db, "operator");
  const add = () => webhooks.create({ contractAddress, url: URL_OF_RECEIVER, events: ["batch.finalized"] });
  const { secret } = await add();
  expect((await add()).secret).toBe(secret);
  await age(11);
  await expect(add()).rejects.toThrow("This URL is already registered with these events.");
});

test("each delivery of a webhook is on one page, newest first, also those of one time", async () => {
  const { contractAddress, register, stored } = await receiverWorld();
  await register();
  const [webhookId] = await stored();
  await db.sql`
    insert into webhook_deliveries (contract_address, id, endpoint_id, event, event_at)
    select decode(${contractAddress.slice(2)}, 'hex'), gen_random_uuid(), ${webhookId!}::uuid,
      ${TEST_EVENT}, now() - (n / 40) * interval '1 s'
    from generate_series(1, 120) as n`;
  const { deliveries: list } = callerOf(db, "viewer").webhooks;
  const all: { id: string; eventAt: string }[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list({ contractAddress, webhookId: webhookId!, cursor });
    all.push(...page.deliveries);
    cursor = page.cursor;
  }
  expect(new Set(all.map(({ id }) => id)).size).toBe(120);
  expect(all).toHaveLength(120);
  expect(all.map(({ eventAt }) => eventAt)).toEqual(
    all
      .map(({ eventAt }) => eventAt)
      .sort()
      .reverse(),
  );
});
