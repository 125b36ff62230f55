import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { DomainError } from "../kernel/values/problems";
import { SilentWorkers } from "./silent-workers";

const timedOut = () =>
  Object.assign(new Error("canceling statement due to statement timeout"), {
    name: "PostgresError",
    code: "57014",
  });

let now: number;
/** Workers that respond to a check. */
let up: Set<number>;
let asked: number[];
let workers: SilentWorkers;
beforeEach(() => {
  now = 0;
  up = new Set([1, 2]);
  asked = [];
  const answers = async (worker: number) => {
    asked.push(worker);
    if (worker === 3) throw timedOut();
    return up.has(worker);
  };
  workers = new SilentWorkers(answers, () => now);
});

/** A request that takes `ms` and may fail with `error`. */
async function request(worker: number, ms: number, error?: unknown): Promise<void> {
  const leave = workers.enter(worker);
  now += ms;
  leave(error);
  await turn();
}

function isRefused(worker: number): boolean {
  try {
    workers.enter(worker);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "unavailable", options: { headers: { "Retry-After": "2" } } });
    return true;
  }
}

describe("after a request timed out", () => {
  test("requests for an unresponsive worker are refused, and those for other workers are not", async () => {
    up.delete(1);
    await request(1, 8000, timedOut());
    expect([isRefused(1), isRefused(2)]).toEqual([true, false]);
  });

  test("a worker that responds to the check was only busy", async () => {
    await request(1, 8000, timedOut());
    expect([asked, isRefused(1)]).toEqual([[1], false]);
  });

  test("a worker whose check fails counts as unresponsive", async () => {
    await request(3, 8000, timedOut());
    expect(isRefused(3)).toBe(true);
  });

  test("the next request after a second checks the worker again, one check at a time, and a response lets requests in", async () => {
    up.delete(1);
    await request(1, 8000, timedOut());
    expect([isRefused(1), isRefused(1)]).toEqual([true, true]);
    expect(asked).toHaveLength(1);
    up.add(1);
    now += 1000;
    expect([isRefused(1), isRefused(1)]).toEqual([true, true]);
    expect(asked).toHaveLength(2);
    await turn();
    expect([isRefused(1), isRefused(1)]).toEqual([false, false]);
  });
});

test("requests that fail quickly, break a rule or succeed do not check the worker", async () => {
  await request(1, 5, timedOut());
  await request(1, 8000, Object.assign(timedOut(), { code: "55P03" }));
  await request(1, 8000, new DomainError("insufficient_points", "Not enough."));
  await request(1, 8000);
  expect([asked, isRefused(1)]).toEqual([[], false]);
});
