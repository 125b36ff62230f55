import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { deleteExpired } from "@/server/finalizer/delete-expired";
import {
  batchOf,
  finalize,
  LIMITS,
  newContract,
  submit,
  testContext,
  times,
  wallet,
} from "@/testing/factories";
import { type Received, startReceiver } from "@/testing/local-servers";
import { RULES, SERVICE_SECRET, webhookWorld } from "@/testing/webhook-world";
import { claimDeliveries, PER_ENDPOINT_MAX } from "./claim-deliveries";
import { type DeliverOptions, recordOutcome } from "./deliver-due";
import { replayDelivery, sendTestEvent } from "./deliveries";
import { createEndpoint, deleteEndpoint, disableEndpoint, enableEndpoint, rotateSecret } from "./endpoints";

const { world, deliver, listen, log, pass, answerWith, endpointOf, admin } = webhookWorld();

/** An endpoint with `count` waiting deliveries. */
async function listenFor(count = 1) {
  const of = await listen(["batch.created"]);
  await times(count, (i) => submit(world.db, batchOf(of.contractAddress, [[i + 1, "1"]])));
  return of;
}

const claimId = "00000000-0000-4000-8000-000000000001";
const claim = (count: number, id = claimId) => claimDeliveries(world.db, { claimId: id, count, taken: [] });

describe("a delivery", () => {
  test("is signed with Standard Webhooks and has the batch as it was at the event, with amounts as text", async () => {
    const of = await listen();
    const rows: [number, string][] = [
      [1, "10.50"],
      [2, "99999999999999999999999999.000000000001"],
    ];
    await submit(world.db, batchOf(of.contractAddress, rows, { batchId: "big" }));
    await finalize(world.db);
    expect(await deliver()).toEqual({ delivered: 3, failed: 0 });
    const payloads = world.receiver.received.map(({ headers, body }) => {
      expect(headers["content-type"]).toBe("application/json");
      return new Webhook(of.secret).verify(body, headers) as { type: string; data: Record<string, unknown> };
    });
    expect(Object.fromEntries(payloads.map(({ type, data }) => [type, data.status]))).toEqual({
      "batch.created": "PENDING",
      "batch.finalizing": "FINALIZING",
      "batch.finalized": "FINALIZED",
    });
    expect(payloads[0]!.data).toEqual({
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
    const [first] = world.receiver.received;
    expect(() => new Webhook(of.secret).verify(`${first!.body} `, first!.headers)).toThrow();
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  });

  test("about a reversal names the batch that it takes back at every event, and no other has that field", async () => {
    const of = await listen();
    await submit(world.db, batchOf(of.contractAddress, [[1, "10.5"]], { batchId: "wrong" }));
    await finalize(world.db);
    const input = { contractAddress: of.contractAddress, batchId: "wrong", secondsToFinalize: 0 };
    await reverseBatch(testContext(world.db), LIMITS, { ...input, reversalId: "back" });
    await finalize(world.db);
    expect(await deliver()).toEqual({ delivered: 6, failed: 0 });
    const events = world.receiver.received.map(({ body }) => {
      const { type, data } = JSON.parse(body);
      return [data.batchId, type, data.points, data.reverses];
    });
    const eventsOf = (id: string, reverses?: string) =>
      ["batch.created", "batch.finalized", "batch.finalizing"].map((type) => [id, type, "10.5", reverses]);
    expect(events.sort()).toEqual([...eventsOf("back", "wrong"), ...eventsOf("wrong")]);
  });

  test("about a batch of a payout names the payout at every event, and no other has that field", async () => {
    const of = await listen();
    const part = batchOf(of.contractAddress, [[1, "1"]], { batchId: "season-3.001" });
    await submit(world.db, { ...part, payoutId: "season-3" });
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]], { batchId: "alone" }));
    await finalize(world.db);
    expect(await deliver()).toEqual({ delivered: 6, failed: 0 });
    const events = world.receiver.received.map(({ body }) => {
      const { type, data } = JSON.parse(body);
      return [data.batchId, type, "payoutId" in data ? data.payoutId : "none"];
    });
    const eventsOf = (id: string, payout: string) =>
      ["batch.created", "batch.finalized", "batch.finalizing"].map((type) => [id, type, payout]);
    expect(events.sort()).toEqual([...eventsOf("alone", "none"), ...eventsOf("season-3.001", "season-3")]);
  });

  test("that is a test fails at a receiver that verifies JSON that it wrote again, in any usual way", async () => {
    const of = await listen();
    await sendTestEvent(admin(), of);
    await deliver();
    const [{ body, headers }] = world.receiver.received as [Received];
    const verify = (text: string) => new Webhook(of.secret).verify(text, headers);
    expect(verify(body)).toMatchObject({ type: "webhook.test", data: { check: "a/b ü <&>\n" } });
    const escaped = (characters: RegExp) =>
      body.replaceAll(characters, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const writtenAgain = {
      "PHP, slashes": body.replaceAll("/", "\\/"),
      "PHP and Python, ASCII": escaped(/[^\0-\x7f]/g),
      "Go, .NET and Rails, HTML": escaped(/[<&>]/g),
      "a line end as it is": body.replace("\\n", "\n"),
      "no line end": body.replace("\\n", ""),
      "Latin-1": Buffer.from(body).toString("latin1"),
    };
    for (const [how, text] of Object.entries(writtenAgain)) expect(() => verify(text), how).toThrow();
  });

  test("that failed is retried with the same webhook-id and body, after growing waits, and given up after ten attempts", async () => {
    const of = await listenFor();
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      const status = [500, 301, 400, 404, 503][tries % 5]!;
      answerWith(status);
      expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
      const [row] = await world.db.sql<{ wait: number | null }[]>`
        select extract(epoch from next_attempt_at - last_attempt_at)::float8 as wait from webhook_deliveries`;
      waits.push(row!.wait ?? Number.POSITIVE_INFINITY);
      const state = tries < 10 ? "waiting" : "failed";
      expect(await log(of)).toMatchObject([{ state, attempts: tries, lastStatusCode: status }]);
      expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
      await pass("29 hours");
      await world.db.sql`update webhook_endpoints set failing_since = now()`;
    }
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    expect(new Set(world.receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(world.receiver.received).toHaveLength(10);
    const least = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    least.forEach((seconds, i) => {
      expect(waits[i]).toBeGreaterThanOrEqual(seconds - 1);
      expect(waits[i]).toBeLessThanOrEqual(seconds * 1.2 + 5);
    });
  });

  test("whose worker died is sent again with the same webhook-id after its lease expires, and not before", async () => {
    const of = await listenFor();
    const [dead] = await claim(16);
    expect(await log(of)).toMatchObject([{ state: "sending", nextAttemptAt: null }]);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await pass("31 seconds");
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(world.receiver.received.map(({ id }) => id)).toEqual([dead!.id]);
    // The first worker wakes up and reports a failure, which must be ignored.
    await recordOutcome(world.db, claimId, dead!, { statusCode: 500, failure: null, durationMs: 1 });
    expect(await log(of)).toMatchObject([{ state: "delivered", attempts: 2, lastStatusCode: 204 }]);
  });

  test("is not sent when an attempt might not finish within the budget", async () => {
    const of = await listenFor();
    expect(await deliver({ budgetSeconds: 0.5 })).toEqual({ delivered: 0, failed: 0 });
    world.receiver.answerWith(() => undefined);
    expect(await deliver({ budgetSeconds: 1.5 })).toEqual({ delivered: 0, failed: 1 });
    expect((await log(of))[0]!.lastFailure).toMatch(/^No response within (0\.\d+|1(\.\d+)?) s\.$/);
  });

  test("is refused to a private address where that is not allowed, and when AUTH_SECRET has changed, with what to do", async () => {
    const of = await listenFor();
    const failure = async () => (await log(of))[0]!.lastFailure;
    expect(await deliver({ allowPrivate: false })).toEqual({ delivered: 0, failed: 1 });
    expect(await failure()).toBe("The URL must start with https://.");
    await pass("1 hour");
    await deliver({ serviceSecret: "another-auth-secret" });
    expect(await failure()).toBe("AUTH_SECRET has changed. Rotate the signing secret.");
    expect(world.receiver.received).toEqual([]);
  });

  test("is signed after AUTH_SECRET was rotated, and without the previous one from then on", async () => {
    const of = await listen(["batch.created"]);
    const serviceSecret = "auth-secret-after-rotation";
    const deliverOne = async ({ contractAddress, secret }: typeof of, given: Partial<DeliverOptions>) => {
      await submit(world.db, batchOf(contractAddress, [[1, "1"]]));
      expect(await deliver(given)).toEqual({ delivered: 1, failed: 0 });
      const { body, headers } = world.receiver.received.at(-1)!;
      new Webhook(secret).verify(body, headers);
    };
    await deliverOne(of, { serviceSecret, previousServiceSecret: SERVICE_SECRET });
    await deliverOne(of, { serviceSecret });
    // A process that is restarted later still registers endpoints with the previous one.
    const later = await listen(["batch.created"]);
    for (let deliveries = 0; deliveries < 2; deliveries++)
      await deliverOne(later, { serviceSecret, previousServiceSecret: SERVICE_SECRET });
    await deliverOne(later, { serviceSecret });
  });
});

test("a delivery is claimed by one worker at a time, also when leases expire in between", async () => {
  for (const { contractAddress } of await times(4, () => listen(["batch.created"])))
    await times(10, (i) => submit(world.db, batchOf(contractAddress, [[i + 1, "1"]])));
  for (let round = 0; round < 4; round++) {
    const ids = (await times(8, () => claim(16, randomUUID()))).flat().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    await pass("31 seconds");
  }
});

describe("an endpoint", () => {
  test("that never responds delays no other endpoint", async () => {
    const silent = await startReceiver();
    silent.answerWith(() => undefined);
    const [slow, quick] = [await listen(["batch.created"], silent.url), await listen(["batch.created"])];
    await times(20, (i) => submit(world.db, batchOf(slow.contractAddress, [[i + 1, "1"]])));
    await times(6, (i) => submit(world.db, batchOf(quick.contractAddress, [[i + 1, "1"]])));
    let isStopping = false;
    const run = deliver({ budgetSeconds: 60, isStopping: () => isStopping });
    await world.receiver.untilReceived(6, 60);
    expect(silent.received.length).toBeLessThanOrEqual(4);
    isStopping = true;
    await silent.close();
    await run;
    expect((await log(quick)).every(({ state }) => state === "delivered")).toBe(true);
  });

  test("gets at most four deliveries at the same time, even when one slot frees up before the others", async () => {
    await listenFor(12);
    const open: (() => void)[] = [];
    let most = 0;
    world.receiver.answerWith((response) => {
      open.push(() => response.writeHead(204).end());
      most = Math.max(most, open.length);
      // Each time all slots are in use, one frees up; at the end, all do.
      const isLast = world.receiver.received.length === 12;
      if (isLast || open.length >= PER_ENDPOINT_MAX)
        setTimeout(() => {
          for (const answer of open.splice(0, isLast ? 12 : 1)) answer();
        }, 20);
    });
    expect(await deliver()).toEqual({ delivered: 12, failed: 0 });
    expect(most).toBe(PER_ENDPOINT_MAX);
  });

  test("that fails is paused, one success clears the failures, and the first one marks it as used", async () => {
    const of = await listenFor();
    answerWith(500);
    await deliver();
    answerWith(204);
    await submit(world.db, batchOf(of.contractAddress, [[2, "1"]]));
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    expect(await endpointOf(of)).toMatchObject({ failingSince: expect.any(String), firstDeliveredAt: null });
    await pass("7 seconds");
    expect(await deliver()).toEqual({ delivered: 2, failed: 0 });
    const { failingSince, firstDeliveredAt } = await endpointOf(of);
    expect([failingSince, firstDeliveredAt]).toEqual([null, expect.stringMatching(/Z$/)]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(await endpointOf(of)).toMatchObject({ firstDeliveredAt });
  });

  test("that fails for five days is disabled with an audit entry, and gets its queued deliveries after it is enabled", async () => {
    const of = await listenFor();
    answerWith(500);
    await deliver();
    await pass("4 days 23 hours");
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledAt: null });
    await pass("2 hours");
    await deliver();
    expect(await endpointOf(of)).toMatchObject({ disabledReason: "failures" });
    const audit = await world.db.sql`select actor, detail ->> 'reason' as reason from audit_log
      where action = 'webhook.disable' and target = ${`contract:${of.contractAddress}`}`;
    expect([...audit]).toEqual([{ actor: "webhooks", reason: "failed for 5 days" }]);
    await pass("3 days");
    answerWith(204);
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await enableEndpoint(admin(), of);
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  });

  test("that responds with 410 is disabled immediately, and a disabled or deleted one gets no more deliveries", async () => {
    const [of, off, gone] = await times(3, () => listen(["batch.created"]));
    const send = () =>
      times(3, (i) => submit(world.db, batchOf([of, off, gone][i]!.contractAddress, [[1, "1"]])));
    await send();
    await disableEndpoint(admin(), off!);
    await deleteEndpoint(admin(), gone!);
    answerWith(410);
    expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
    expect(await endpointOf(of!)).toMatchObject({ disabledReason: "gone" });
    expect(await log(of!)).toMatchObject([{ state: "failed", lastStatusCode: 410 }]);
    await send();
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  });
});

/** Seconds from a burst's first failure to the end of its pause. Resets the burst, so that the next one counts separately. */
async function takePause(): Promise<number> {
  const [row] = await world.db.sql<{ seconds: number }[]>`
    with burst as (select paused_until - failing_since as pause from webhook_endpoints)
    update webhook_endpoints set failing_since = null from burst returning extract(epoch from pause)::float8 as seconds`;
  return row!.seconds;
}

describe("the pause of a failing endpoint", () => {
  test("doubles with each burst from 5 s up to 5 min, no matter how many deliveries fail together", async () => {
    await listenFor(4);
    const waiting: (() => void)[] = [];
    world.receiver.answerWith((response) => {
      waiting.push(() => response.writeHead(500).end());
      if (waiting.length === 4) for (const answer of waiting.splice(0)) answer();
    });
    const pauses: number[] = [];
    for (let burst = 0; burst < 7; burst++) {
      expect(await deliver()).toEqual({ delivered: 0, failed: 4 });
      pauses.push(await takePause());
      await pass("29 hours");
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300]);
  });

  test("is neither extended by a failure nor ended by a success of an attempt that began before it", async () => {
    await listenFor(3);
    const failed = { statusCode: 500, failure: null, durationMs: 1 };
    const [quick, slow, late] = await claim(3);
    await recordOutcome(world.db, claimId, quick!, failed);
    expect(await takePause()).toBe(5);
    await pass("7 seconds");
    await recordOutcome(world.db, claimId, slow!, failed);
    await takePause();
    const [again] = await claim(1);
    expect(again!.id).toBe(quick!.id);
    await recordOutcome(world.db, claimId, again!, { ...failed, statusCode: 429, retryAfterSeconds: 600 });
    await recordOutcome(world.db, claimId, late!, { ...failed, statusCode: 200 });
    await pass("300 seconds");
    expect(await claim(3)).toEqual([]);
    await pass("500 seconds");
    expect(await claim(3)).toHaveLength(2);
  });

  test("lasts as long as the receiver's Retry-After asks for, for its other deliveries too, and the log shows it", async () => {
    const of = await listenFor();
    const answers = [
      [429, "120"],
      [503, () => new Date(Date.now() + 600_000).toUTCString()],
    ] as const;
    let asked = 0;
    world.receiver.answerWith((response) => {
      const [status, after] = answers[asked++] ?? [200, ""];
      response.writeHead(status, { "Retry-After": typeof after === "string" ? after : after() }).end();
    });
    /** Seconds until the next attempt, as the log shows it. */
    const logged = async () =>
      (await log(of)).map(({ nextAttemptAt }) => (Date.parse(nextAttemptAt!) - Date.now()) / 1000);
    expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
    await submit(world.db, batchOf(of.contractAddress, [[2, "1"]]));
    for (const seconds of await logged()) expect(seconds).toBeGreaterThan(100);
    await pass("60 seconds");
    expect(await deliver(), "neither is sent before the time").toEqual({ delivered: 0, failed: 0 });
    await pass("90 seconds");
    expect(await deliver()).toEqual({ delivered: 1, failed: 1 });
    // The refused delivery itself waits, too.
    await world.db.sql`update webhook_endpoints set paused_until = null`;
    expect(Math.max(...(await logged()).filter((seconds) => !Number.isNaN(seconds)))).toBeGreaterThan(500);
    await pass("300 seconds");
    expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
    await pass("500 seconds");
    expect(await deliver()).toMatchObject({ failed: 0 });
  });
});

describe("rotating the secret", () => {
  test("signs with both secrets until the overlap ends, if there is one, then only with the new one, and deletes the old one", async () => {
    const of = await listen(["batch.created"]);
    const { secret } = await rotateSecret(admin(), of, RULES);
    const check = async (oldSigns: boolean) => {
      await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
      await deliver();
      const { body, headers } = world.receiver.received.at(-1)!;
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
    await deleteExpired(world.db);
    expect([...(await world.db.sql`select previous_secret_sealed from webhook_endpoints`)]).toEqual([
      { previous_secret_sealed: null },
    ]);
    const revoked = await rotateSecret(admin(), { ...of, overlapSeconds: 0 }, RULES);
    expect(revoked.previousSecretUntil).toBeNull();
    await sendTestEvent(admin(), of);
    await deliver();
    const { body, headers } = world.receiver.received.at(-1)!;
    expect(() => new Webhook(secret).verify(body, headers)).toThrow();
    new Webhook(revoked.secret).verify(body, headers);
  });
});

describe("replaying", () => {
  test("sends a delivery again with its own webhook-id, with an audit entry, but not while it is being sent, disabled, or another contract's", async () => {
    const of = await listenFor();
    const deliveryId = (await claim(1))[0]!.id;
    const replay = (contractAddress = of.contractAddress) =>
      replayDelivery(admin(), { contractAddress, deliveryId });
    await expect(replay()).rejects.toMatchObject({
      code: "validation_failed",
      message: "The delivery is being sent right now. Wait for its result.",
    });
    await expect(replay(wallet(7))).rejects.toMatchObject({ code: "not_found" });
    await pass("31 seconds");
    await deliver();
    await disableEndpoint(admin(), of);
    await expect(replay()).rejects.toMatchObject({ message: "The webhook is disabled. Enable it first." });
    await enableEndpoint(admin(), of);
    await replay();
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(world.receiver.received.map(({ id }) => id)).toEqual([deliveryId, deliveryId]);
    const audit = await world.db.sql`select actor, detail ->> 'delivery' as delivery from audit_log
      where action = 'webhook.replay' and target = ${`contract:${of.contractAddress}`}`;
    expect([...audit]).toEqual([{ actor: "staff:admin@example.com", delivery: deliveryId }]);
  });
});

test("the eleventh webhook of a contract is refused, even when all are requested at the same time", async () => {
  const contractAddress = await newContract(world.db);
  const rules = { serviceSecret: SERVICE_SECRET, allowPrivate: false };
  const made = await times(14, (at) =>
    createEndpoint(
      admin(),
      { contractAddress, url: `https://example.com/${at}`, events: ["batch.created"] },
      rules,
    ).then(
      () => true,
      () => false,
    ),
  );
  expect(made.filter(Boolean)).toHaveLength(10);
});
