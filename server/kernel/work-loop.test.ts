import { expect, test, vi } from "vitest";
import { log } from "./log";
import { startWorkLoop } from "./work-loop";

test("an outage of the database is logged once, and its end once", async () => {
  const warned = vi.spyOn(log(), "warn").mockImplementation(() => undefined);
  const informed = vi.spyOn(log(), "info").mockImplementation(() => undefined);
  let runs = 0;
  const loop = startWorkLoop({
    everyMs: 1,
    failure: "run failed, retrying",
    work: async () => {
      if (++runs < 3) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    },
  });
  await vi.waitFor(() => expect(runs).toBeGreaterThan(4), { timeout: 15_000 });
  await loop.stop();
  expect(warned.mock.calls.map(([, words]) => words)).toEqual(["run failed, retrying"]);
  expect(informed.mock.calls).toEqual([["run failed, retrying: the database is back"]]);
  vi.restoreAllMocks();
});
