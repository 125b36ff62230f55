import { describe, expect, test } from "vitest";
import { batchOf, submit, times } from "@/testing/factories";
import { webhookWorld } from "@/testing/webhook-world";
import { claimDeliveries } from "./claim-deliveries";
import { recordOutcome } from "./record-outcome";

const { world, deliver, listen, pass } = webhookWorld();

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
});
