import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { driveFor, driveToLastReply } from "./drive";

/** No request ends within a run's time. */
const RUN = { warmUpSeconds: 0.01, seconds: 0.02 };
const workers = [1, 2, 3];
const slow = () => sleep(60);

test("does not count requests that outlast the window", async () => {
  expect((await driveFor(RUN, workers, slow)).requests).toBe(0);
});

test("toLastReply counts two requests per worker over the time they took, without the warm-up", async () => {
  const driven = await driveToLastReply(RUN, workers, slow);
  expect(driven).toMatchObject({ requests: 6, requestsSent: 9 });
  expect(driven.seconds).toBeGreaterThan(RUN.seconds);
});

test("toLastReply starts the clock when no warm-up request is running", async () => {
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
