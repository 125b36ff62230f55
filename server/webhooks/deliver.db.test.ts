import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sweepEnded } from "../finalizer/sweep-ended";
import { batchOf, finalize, newContract, submit, testContext, times, wallet } from "../testing/factories";
import { type TestDatabase, testDatabase } from "../testing/test-database";
import { type Receiver, startReceiver } from "../testing/webhook-receiver";
import { claimDeliveries } from "./claim-deliveries";
import { createEndpoint } from "./create-endpoint";
import { deleteEndpoint } from "./delete-endpoint";
import { deliverDueWebhooks } from "./deliver-due";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "./events";
import { listDeliveries } from "./list-deliveries";
import { listEndpoints } from "./list-endpoints";
import { recordOutcome } from "./record-outcome";
import { replayDelivery } from "./replay-delivery";
import { rotateSecret } from "./rotate-secret";
import { sendTest } from "./send-test";
import { disableEndpoint, enableEndpoint } from "./switch-endpoint";

let db: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await db.sql`truncate webhook_endpoints, webhook_deliveries`;
});
afterAll(() => db?.drop());

const SERVICE = "auth-secret-of-this-test";
const RULES = { serviceSecret: SERVICE, allowPrivate: true };
const admin = () => testContext(db, "staff:admin@example.com");
const deliver = (options = {}) => deliverDueWebhooks(db, { budgetSeconds: 20, ...RULES, ...options });

async function listen(events: readonly WebhookEvent[] = WEBHOOK_EVENT_NAMES, url = receiver.url) {
  const contractAddress = await newContract(db);
  const { endpoint, secret } = await createEndpoint(admin(), { contractAddress, url, events }, RULES);
  return { contractAddress, webhookId: endpoint.id, secret };
}
type Listening = Awaited<ReturnType<typeof listen>>;

const log = async (of: Listening) => (await listDeliveries(admin(), of)).deliveries;
const endpointOf = async (of: Listening) => (await listEndpoints(admin(), of))[0]!;
/** As if so much time had passed. */
const pass = (interval: string) => db.sql`
  with later as (update webhook_deliveries set next_attempt_at = next_attempt_at - ${interval}::interval)
  update webhook_endpoints set paused_until = paused_until - ${interval}::interval,
    failing_since = failing_since - ${interval}::interval,
    previous_secret_until = previous_secret_until - ${interval}::interval`;
const failWith = (status: number) => receiver.answerWith((response) => response.writeHead(status).end());

describe("a delivery", () => {
  test("is signed by Standard Webhooks and tells the batch as it stood at the event, amounts as text", async () => {
    const of = await listen();
    await submit(
      db,
      batchOf(
        of.contractAddress,
        [
          [1, "10.50"],
          [2, "99999999999999999999999999.000000000001"],
        ],
        { batchId: "big" },
      ),
    );
    await finalize(db);
    expect(await deliver()).toEqual({ delivered: 3, failed: 0 });
    const told = receiver.received.map(({ headers, body }) => {
      expect(headers["content-type"]).toBe("application/json");
      return new Webhook(of.secret).verify(body, headers) as { type: string; data: Record<string, unknown> };
    });
    expect(Object.fromEntries(told.map(({ type, data }) => [type, data.status]))).toEqual({
      "batch.created": "PENDING",
      "batch.finalizing": "FINALIZING",
      "batch.finalized": "FINALIZED",
    });
    expect(told[0]!.data).toEqual({
      contractAddress: expect.stringMatching(new RegExp(`^${of.contractAddress}$`, "i")),
      batchId: "big",
      status: expect.any(String),
      pointType: "PHASE2_POINTS",
      points: "100000000000000000000000009.500000000001",
      transferCount: 2,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdAt: expect.stringMatching(/Z$/),
      finalizeAt: expect.stringMatching(/Z$/),
    });
    const stranger = await listen();
    const [first] = receiver.received;
    expect(() => new Webhook(stranger.secret).verify(first!.body, first!.headers)).toThrow();
    expect(() => new Webhook(of.secret).verify(`${first!.body} `, first!.headers)).toThrow();
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  });

  test("that failed comes again with the same webhook-id and body, later and later, and is given up after ten tries", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    failWith(500);
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
      const [row] = await db.sql<{ wait: number | null }[]>`
        select extract(epoch from next_attempt_at - last_attempt_at)::float8 as wait from webhook_deliveries`;
      waits.push(row!.wait ?? Number.POSITIVE_INFINITY);
      expect(await log(of)).toMatchObject([
        { state: tries < 10 ? "waiting" : "failed", attempts: tries, lastStatusCode: 500 },
      ]);
      expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
      await pass("29 hours");
      await db.sql`update webhook_endpoints set failing_since = now()`;
    }
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(receiver.received).toHaveLength(10);
    const least = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    least.forEach((seconds, i) => {
      expect(waits[i]).toBeGreaterThanOrEqual(seconds - 1);
      expect(waits[i]).toBeLessThanOrEqual(seconds * 1.2 + 5);
    });
  });

  test.each([301, 400, 404, 503])("answered with %i is no success", async (status) => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    failWith(status);
    await deliver();
    expect(await log(of)).toMatchObject([{ state: "waiting", lastStatusCode: status, lastFailure: null }]);
    expect(await endpointOf(of)).toMatchObject({ failingSince: expect.any(String), disabledAt: null });
  });

  test("is never in the hands of two workers, and comes once, however many there are", async () => {
    const of = await listen(["batch.created"]);
    await times(60, (i) => submit(db, batchOf(of.contractAddress, [[i + 1, "1"]])));
    const held = new Set<string>();
    receiver.answerWith((response, { id }) => {
      expect(held.has(id)).toBe(false);
      held.add(id);
      setTimeout(() => {
        held.delete(id);
        response.writeHead(204).end();
      }, 5);
    });
    const runs = await times(4, () => deliver());
    expect(runs.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(60);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(60);
    expect(receiver.received).toHaveLength(60);
  });

  test("whose worker died is sent again under the same webhook-id, once its lease ends and not before", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    const claimId = "00000000-0000-4000-8000-000000000001";
    const [dead] = await claimDeliveries(db, { claimId, count: 16, busy: [] });
    expect(await log(of)).toMatchObject([{ state: "sending", nextAttemptAt: null }]);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await pass("31 seconds");
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(receiver.received.map(({ id }) => id)).toEqual([dead!.id]);
    // The dead one wakes up and says that it failed: nobody listens.
    await recordOutcome(db, claimId, dead!, { statusCode: 500, failure: null, durationMs: 1 });
    expect(await log(of)).toMatchObject([{ state: "delivered", attempts: 2, lastStatusCode: 204 }]);
  });

  test("is not sent when its time could not end within the budget", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    expect(await deliver({ budgetSeconds: 0.5 })).toEqual({ delivered: 0, failed: 0 });
    receiver.answerWith(() => undefined);
    const startedAt = performance.now();
    expect(await deliver({ budgetSeconds: 1.5 })).toEqual({ delivered: 0, failed: 1 });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect((await log(of))[0]!.lastFailure).toMatch(/^No answer within/);
  });

  test("to a private address is refused where that is not allowed, and the receiver hears nothing", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    expect(await deliver({ allowPrivate: false })).toEqual({ delivered: 0, failed: 1 });
    expect(await log(of)).toMatchObject([
      { lastStatusCode: null, lastFailure: "The address must begin with https://." },
    ]);
    expect(receiver.received).toEqual([]);
  });

  test("says what to do when the service's secret has changed", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    await deliver({ serviceSecret: "another-auth-secret" });
    expect((await log(of))[0]!.lastFailure).toBe("AUTH_SECRET has changed: rotate the signing secret.");
    expect(receiver.received).toEqual([]);
  });
});

describe("an endpoint", () => {
  test("that never answers holds up no other", async () => {
    const silent = await startReceiver();
    silent.answerWith(() => undefined);
    const [slow, quick] = [await listen(["batch.created"], silent.url), await listen(["batch.created"])];
    await times(30, (i) => submit(db, batchOf(slow.contractAddress, [[i + 1, "1"]])));
    await times(30, (i) => submit(db, batchOf(quick.contractAddress, [[i + 1, "1"]])));
    const run = deliver({ budgetSeconds: 3 });
    await receiver.untilReceived(30);
    expect((await silent.received).length).toBeLessThanOrEqual(4);
    await run;
    expect((await log(quick)).every(({ state }) => state === "delivered")).toBe(true);
    await silent.close();
  });

  test("that fails is left alone for a while, and one success forgets it", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    failWith(500);
    await deliver();
    receiver.answerWith((response) => response.writeHead(204).end());
    await submit(db, batchOf(of.contractAddress, [[2, "1"]]));
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await pass("7 seconds");
    expect(await deliver()).toEqual({ delivered: 2, failed: 0 });
    expect(await endpointOf(of)).toMatchObject({ failingSince: null });
  });

  test("that fails for five days is disabled, with a row in the audit log, and what waits is sent once it is enabled", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    failWith(500);
    await deliver();
    await pass("4 days 23 hours");
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledAt: null });
    await pass("2 hours");
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledReason: "failures" });
    const audit = await db.sql`select actor, detail ->> 'reason' as reason from audit_log
      where action = 'webhook.disable' and target = ${`contract:${of.contractAddress}`}`;
    expect([...audit]).toEqual([{ actor: "webhooks", reason: "it failed for days" }]);
    await pass("3 days");
    receiver.answerWith((response) => response.writeHead(204).end());
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await enableEndpoint(admin(), of);
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });

  test("that answers 410 is disabled at once", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    failWith(410);
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledReason: "gone" });
    expect(await log(of)).toMatchObject([{ state: "failed", lastStatusCode: 410 }]);
  });

  test("that is disabled or deleted is sent nothing more", async () => {
    const [off, gone] = [await listen(["batch.created"]), await listen(["batch.created"])];
    for (const { contractAddress } of [off, gone]) await submit(db, batchOf(contractAddress, [[1, "1"]]));
    await disableEndpoint(admin(), off);
    await deleteEndpoint(admin(), gone);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    expect(receiver.received).toEqual([]);
  });
});

describe("rotating the secret", () => {
  test("signs with both until the overlap ends, then with the new one alone, and forgets the old one", async () => {
    const of = await listen(["batch.created"]);
    const { secret } = await rotateSecret(admin(), of, SERVICE);
    const check = async (oldSigns: boolean) => {
      await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
      await deliver();
      const { body, headers } = receiver.received.at(-1)!;
      new Webhook(secret).verify(body, headers);
      const byOld = () => new Webhook(of.secret).verify(body, headers);
      if (oldSigns) byOld();
      else expect(byOld).toThrow();
    };
    await check(true);
    await pass("23 hours");
    await check(true);
    await pass("61 minutes");
    await check(false);
    await sweepEnded(db);
    expect([...(await db.sql`select previous_secret_sealed from webhook_endpoints`)]).toEqual([
      { previous_secret_sealed: null },
    ]);
  });

  test("without overlap ends the old secret at once", async () => {
    const of = await listen(["batch.created"]);
    expect(
      (await rotateSecret(admin(), { ...of, overlapSeconds: 0 }, SERVICE)).previousSecretUntil,
    ).toBeNull();
    await sendTest(admin(), of);
    await deliver();
    const { body, headers } = receiver.received[0]!;
    expect(() => new Webhook(of.secret).verify(body, headers)).toThrow();
  });
});

describe("replaying", () => {
  test("sends a delivery again under its own webhook-id, whether it arrived or was given up, with an audit row", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    await deliver();
    const deliveryId = receiver.received[0]!.id;
    await replayDelivery(admin(), { ...of, deliveryId });
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(receiver.received.map(({ id }) => id)).toEqual([deliveryId, deliveryId]);
    const audit = await db.sql`select actor, detail ->> 'delivery' as delivery from audit_log
      where action = 'webhook.replay' and target = ${`contract:${of.contractAddress}`}`;
    expect([...audit]).toEqual([{ actor: "staff:admin@example.com", delivery: deliveryId }]);
  });

  test("is refused while it is sent, while its endpoint is disabled, and for another contract", async () => {
    const of = await listen(["batch.created"]);
    await submit(db, batchOf(of.contractAddress, [[1, "1"]]));
    const [taken] = await claimDeliveries(db, {
      claimId: "00000000-0000-4000-8000-000000000001",
      count: 1,
      busy: [],
    });
    const deliveryId = taken!.id;
    const replay = (contractAddress = of.contractAddress) =>
      replayDelivery(admin(), { contractAddress, deliveryId });
    await expect(replay()).rejects.toMatchObject({
      code: "validation_failed",
      message: "It is being sent right now.",
    });
    await expect(replay(wallet(7))).rejects.toMatchObject({ code: "not_found" });
    await pass("31 seconds");
    await disableEndpoint(admin(), of);
    await expect(replay()).rejects.toMatchObject({ message: "The webhook is disabled; enable it first." });
    await enableEndpoint(admin(), of);
    await replay();
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });
});

test("the log goes page by page without a gap, and forgets after thirty days", async () => {
  const of = await listen(["batch.created"]);
  await times(61, (i) => submit(db, batchOf(of.contractAddress, [[i + 1, "1"]])));
  const first = await listDeliveries(admin(), of);
  const second = await listDeliveries(admin(), { ...of, cursor: first.cursor });
  expect([first.deliveries.length, second.deliveries.length, second.cursor]).toEqual([50, 11, null]);
  expect(new Set([...first.deliveries, ...second.deliveries].map(({ id }) => id)).size).toBe(61);
  const kept = first.deliveries[0]!.id;
  await db.sql`update webhook_deliveries set event_at = event_at - interval '30 days' where id <> ${kept}::uuid`;
  await sweepEnded(db);
  expect((await log(of)).map(({ id }) => id)).toEqual([kept]);
});
