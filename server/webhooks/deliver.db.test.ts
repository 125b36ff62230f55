import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { batchOf, finalize, LIMITS, submit, testContext, times } from "@/testing/factories";
import { webhookWorld } from "@/testing/webhook-world";
import { reverseBatch } from "../batches/reversal/reverse-batch";
import { claimDeliveries } from "./claim-deliveries";
import { recordOutcome } from "./deliver-due";

const { world, deliver, listen, log, pass, answerWith, endpointOf } = webhookWorld();

describe("a delivery", () => {
  test("is signed with Standard Webhooks and has the batch as it was at the event, with amounts as text", async () => {
    const of = await listen();
    await submit(
      world.db,
      batchOf(
        of.contractAddress,
        [
          [1, "10.50"],
          [2, "99999999999999999999999999.000000000001"],
        ],
        { batchId: "big" },
      ),
    );
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
    const stranger = await listen();
    const [first] = world.receiver.received;
    expect(() => new Webhook(stranger.secret).verify(first!.body, first!.headers)).toThrow();
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

  test("that failed is retried with the same webhook-id and body, after growing waits, and given up after ten attempts", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    answerWith(500);
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      expect(await deliver()).toEqual({ delivered: 0, failed: 1 });
      const [row] = await world.db.sql<{ wait: number | null }[]>`
        select extract(epoch from next_attempt_at - last_attempt_at)::float8 as wait from webhook_deliveries`;
      waits.push(row!.wait ?? Number.POSITIVE_INFINITY);
      expect(await log(of)).toMatchObject([
        { state: tries < 10 ? "waiting" : "failed", attempts: tries, lastStatusCode: 500 },
      ]);
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

  test("that is the first to be accepted marks its endpoint as used, and no later one changes that", async () => {
    const of = await listen(["batch.created"]);
    const used = async () => (await endpointOf(of)).firstDeliveredAt;
    expect(await used()).toBeNull();
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    answerWith(500);
    await deliver();
    expect(await used()).toBeNull();
    answerWith(204);
    await pass("1 hour");
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    const first = await used();
    expect(first).toMatch(/Z$/);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    answerWith(500);
    await deliver();
    answerWith(204);
    await pass("1 hour");
    expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(await used()).toBe(first);
  });

  test.each([301, 400, 404, 503])("answered with %i counts as failed", async (status) => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    answerWith(status);
    await deliver();
    expect(await log(of)).toMatchObject([{ state: "waiting", lastStatusCode: status, lastFailure: null }]);
    expect(await endpointOf(of)).toMatchObject({ failingSince: expect.any(String), disabledAt: null });
  });

  test("is sent once, by one worker, no matter how many workers there are", async () => {
    const of = await listen(["batch.created"]);
    await times(60, (i) => submit(world.db, batchOf(of.contractAddress, [[i + 1, "1"]])));
    const held = new Set<string>();
    world.receiver.answerWith((response, { id }) => {
      expect(held.has(id)).toBe(false);
      held.add(id);
      setTimeout(() => {
        held.delete(id);
        response.writeHead(204).end();
      }, 5);
    });
    const runs = await times(4, () => deliver());
    expect(runs.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(60);
    expect(new Set(world.receiver.received.map(({ id }) => id)).size).toBe(60);
    expect(world.receiver.received).toHaveLength(60);
  });

  test("whose worker died is sent again with the same webhook-id after its lease expires, and not before", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    const claimId = "00000000-0000-4000-8000-000000000001";
    const [dead] = await claimDeliveries(world.db, { claimId, count: 16, taken: new Map() });
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
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    expect(await deliver({ budgetSeconds: 0.5 })).toEqual({ delivered: 0, failed: 0 });
    world.receiver.answerWith(() => undefined);
    expect(await deliver({ budgetSeconds: 1.5 })).toEqual({ delivered: 0, failed: 1 });
    expect((await log(of))[0]!.lastFailure).toMatch(/^No response within (0\.\d+|1(\.\d+)?) s\.$/);
  });

  test("to a private address is refused where that is not allowed, and nothing reaches the receiver", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    expect(await deliver({ allowPrivate: false })).toEqual({ delivered: 0, failed: 1 });
    expect(await log(of)).toMatchObject([
      { lastStatusCode: null, lastFailure: "The URL must start with https://." },
    ]);
    expect(world.receiver.received).toEqual([]);
  });

  test("says what to do when AUTH_SECRET has changed", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
    await deliver({ serviceSecret: "another-auth-secret" });
    expect((await log(of))[0]!.lastFailure).toBe("AUTH_SECRET has changed. Rotate the signing secret.");
    expect(world.receiver.received).toEqual([]);
  });
});
