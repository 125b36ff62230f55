import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { driveFor, driveToLastReply } from "./drive";

/** No request ends before all the time of a run has passed. */
const RUN = { warmUpSeconds: 0.01, seconds: 0.02 };
const workers = [1, 2, 3];
const slow = () => sleep(60);

test("requests that outlast the window are not counted", async () => {
  expect((await driveFor(RUN, workers, slow)).requests).toBe(0);
});

test("to the last reply, two requests of every worker are counted over the time they took, and none of the warm-up", async () => {
  const driven = await driveToLastReply(RUN, workers, slow);
  expect(driven).toMatchObject({ requests: 6, requestsSent: 9 });
  expect(driven.seconds).toBeGreaterThan(RUN.seconds);
});

test("to the last reply, no request of the warm-up is under way when the clock starts", async () => {
  const log: string[] = [];
  await driveToLastReply({ warmUpSeconds: 0, seconds: 0 }, workers, async (worker) => {
    log.push("from");
    await sleep(10 * worker);
    log.push("to");
  });
  const warmUp = log.slice(0, 2 * workers.length);
  expect(warmUp.filter((word) => word === "from")).toHaveLength(workers.length);
  expect(warmUp.at(-1)).toBe("to");
});
