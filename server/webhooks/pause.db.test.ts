import { describe, expect, test } from "vitest";
import { batchOf, submit, times } from "@/testing/factories";
import { webhookWorld } from "@/testing/webhook-world";
import { claimDeliveries } from "./claim-deliveries";
import { recordOutcome } from "./deliver-due";

const { world, deliver, listen, log, pass } = webhookWorld();

const claimId = "00000000-0000-4000-8000-000000000001";
const claim = (count: number) => claimDeliveries(world.db, { claimId, count, taken: new Map() });
const failed = { statusCode: 500, failure: null, durationMs: 1 };

/** Seconds from a burst's first failure to the end of its pause. Resets the burst, so that the next one counts separately. */
async function takePause(): Promise<number> {
  const [row] = await world.db.sql<{ seconds: number }[]>`
    with burst as (select paused_until - failing_since as pause from webhook_endpoints)
    update webhook_endpoints set failing_since = null from burst returning extract(epoch from pause)::float8 as seconds`;
  return row!.seconds;
}

describe("the pause of a failing endpoint", () => {
  test("doubles with each burst from 5 s up to 5 min, no matter how many deliveries fail together", async () => {
    const of = await listen(["batch.created"]);
    await times(4, (i) => submit(world.db, batchOf(of.contractAddress, [[i + 1, "1"]])));
    const waiting: (() => void)[] = [];
    world.receiver.answerWith((response) => {
      waiting.push(() => response.writeHead(500).end());
      if (waiting.length === 4) for (const answer of waiting.splice(0)) answer();
    });
    const pauses: number[] = [];
    for (let burst = 0; burst < 8; burst++) {
      expect(await deliver()).toEqual({ delivered: 0, failed: 4 });
      pauses.push(await takePause());
      await pass("29 hours");
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  });

  test("is not extended by a delivery of the same burst that fails after the pause", async () => {
    const of = await listen(["batch.created"]);
    await times(2, (i) => submit(world.db, batchOf(of.contractAddress, [[i + 1, "1"]])));
    const [quick, slow] = await claim(2);
    await recordOutcome(world.db, claimId, quick!, failed);
    expect(await takePause()).toBe(5);
    await pass("7 seconds");
    await recordOutcome(world.db, claimId, slow!, failed);
    await takePause();
    const [again] = await claim(2);
    expect(again!.id).toBe(quick!.id);
    await recordOutcome(world.db, claimId, again!, failed);
    expect(await takePause()).toBe(10);
  });

  test("lasts as long as the receiver's Retry-After asks for, for its other deliveries too, and the log shows it", async () => {
    const of = await listen(["batch.created"]);
    await submit(world.db, batchOf(of.contractAddress, [[1, "1"]]));
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

  test("is not ended by a success of an attempt that began before it", async () => {
    const of = await listen(["batch.created"]);
    await times(3, (i) => submit(world.db, batchOf(of.contractAddress, [[i + 1, "1"]])));
    const [refused, late] = await claim(2);
    await recordOutcome(world.db, claimId, refused!, { ...failed, statusCode: 429, retryAfterSeconds: 600 });
    await recordOutcome(world.db, claimId, late!, { ...failed, statusCode: 200 });
    await pass("300 seconds");
    expect(await claim(3)).toEqual([]);
    await pass("500 seconds");
    expect(await claim(3)).toHaveLength(2);
  });
});
