import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inReportTurn } from "./contract-figures";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Starts a report that runs until `end` is called. */
function start(contract: string, log: string[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = inReportTurn(contract, async () => {
    log.push(contract);
    await ended;
  });
  return { done, end };
}

test("a contract has one report running, and the process two; the others take their turn", async () => {
  const log: string[] = [];
  const reports = ["a", "a", "b", "c"].map((contract) => start(contract, log));
  await settle();
  expect(log).toEqual(["a", "b"]);
  reports[0]!.end();
  await settle();
  expect(log).toEqual(["a", "b", "a"]);
  for (const { end } of reports) end();
  await Promise.all(reports.map(({ done }) => done));
  expect(log).toEqual(["a", "b", "a", "c"]);
});

test("a report whose turn does not come gets 503 with Retry-After, and never runs", async () => {
  const log: string[] = [];
  const first = start("a", log);
  const late = start("a", log);
  const refused = expect(late.done).rejects.toMatchObject({
    code: "unavailable",
    options: { headers: { "Retry-After": "5" } },
  });
  await vi.runAllTimersAsync();
  await refused;
  first.end();
  await first.done;
  expect(log).toEqual(["a"]);
});
