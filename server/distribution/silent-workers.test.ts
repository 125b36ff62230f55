import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { DomainError } from "@/terms/problems";
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
    if (worker === 4) return new Promise<boolean>(() => undefined);
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

test("after a request timed out, an unresponsive worker is refused requests until it responds to a check, one a second", async () => {
  up.delete(1);
  await request(1, 8000, timedOut());
  expect([isRefused(1), isRefused(1), isRefused(2)]).toEqual([true, true, false]);
  expect(asked).toEqual([1]);
  up.add(1);
  now += 1000;
  expect([isRefused(1), isRefused(1)]).toEqual([true, true]);
  expect(asked).toEqual([1, 1]);
  await turn();
  expect([isRefused(1), isRefused(1)]).toEqual([false, false]);
});

test("a worker that responds to the check was only busy, and one whose check fails is unresponsive", async () => {
  for (const worker of [1, 3]) await request(worker, 8000, timedOut());
  expect([asked, isRefused(1), isRefused(3)]).toEqual([[1, 3], false, true]);
});

test("a worker is not refused requests before its check, which another worker's timeout may have caused, has taken too long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await request(4, 8000, timedOut());
  expect(isRefused(4)).toBe(false);
  vi.advanceTimersByTime(300);
  expect(isRefused(4)).toBe(true);
});

test("requests that fail quickly, break a rule or succeed do not check the worker", async () => {
  await request(1, 5, timedOut());
  await request(1, 8000, Object.assign(timedOut(), { code: "55P03" }));
  await request(1, 8000, new DomainError("insufficient_points", "Not enough."));
  await request(1, 8000);
  expect([asked, isRefused(1)]).toEqual([[], false]);
});
