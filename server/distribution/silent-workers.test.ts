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
/** Workers that answer when they are asked. */
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

/** A request that takes so long, and fails by something or not. */
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

describe("after a request that waited in vain", () => {
  test("the requests of a worker that does not answer are refused, those of others are not", async () => {
    up.delete(1);
    await request(1, 8000, timedOut());
    expect([isRefused(1), isRefused(2)]).toEqual([true, false]);
  });

  test("a worker that answers was only busy", async () => {
    await request(1, 8000, timedOut());
    expect([asked, isRefused(1)]).toEqual([[1], false]);
  });

  test("a worker that cannot even be asked does not answer", async () => {
    await request(3, 8000, timedOut());
    expect(isRefused(3)).toBe(true);
  });

  test("it is asked again by the next request after a second, one at a time, and its answer lets all in", async () => {
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

test("what fails soon, by the rules or not at all leaves the worker unasked", async () => {
  await request(1, 5, timedOut());
  await request(1, 8000, Object.assign(timedOut(), { code: "55P03" }));
  await request(1, 8000, new DomainError("insufficient_points", "Not enough."));
  await request(1, 8000);
  expect([asked, isRefused(1)]).toEqual([[], false]);
});
