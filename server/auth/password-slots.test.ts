import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refusalOf } from "@/testing/expect-refusal";
import { boundedPasswordWork, type SlotClaim } from "./passwords";

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  // The list grows while it is worked off: each end starts the next one that waits.
  for (const { end } of started) {
    end("checked");
    await vi.advanceTimersByTimeAsync(0);
  }
  started.length = 0;
  vi.useRealTimers();
});

const started: { name: string; end: (outcome: "checked" | Error) => void }[] = [];
let count = 0;

/** Password work that runs until it is ended. */
function work(claim: Partial<SlotClaim> = {}) {
  const name = `work-${++count}`;
  const { sources = [name], isKnown = false } = claim;
  const outcome = boundedPasswordWork({ sources, isKnown }, async () => {
    const given = await new Promise<"checked" | Error>((end) => started.push({ name, end }));
    if (given instanceof Error) throw given;
    return given;
  });
  outcome.catch(() => undefined);
  return { name, outcome };
}
const isRunning = ({ name }: { name: string }) => started.some((each) => each.name === name);
const end = async ({ name }: { name: string }, outcome: "checked" | Error = "checked") => {
  started.find((each) => each.name === name)!.end(outcome);
  await vi.advanceTimersByTimeAsync(0);
};
const settle = () => vi.advanceTimersByTimeAsync(0);

test("three new devices are served at a time, and the next one starts when one finishes or fails", async () => {
  const [first, second, third, fourth, fifth] = [work(), work(), work(), work(), work()];
  await settle();
  expect([first, second, third, fourth].map(isRunning)).toEqual([true, true, true, false]);
  await end(first!);
  expect(await first!.outcome).toBe("checked");
  expect([fourth, fifth].map((each) => isRunning(each!))).toEqual([true, false]);
  await end(second!, new Error("out of memory"));
  await expect(second!.outcome).rejects.toThrow("out of memory");
  expect(isRunning(fifth!)).toBe(true);
});

test("work that waits longer than a second is refused", async () => {
  for (let i = 0; i < 3; i++) work();
  const late = work();
  await vi.advanceTimersByTimeAsync(999);
  const refused = refusalOf(late.outcome);
  await vi.advanceTimersByTimeAsync(1);
  expect(await refused).toMatchObject({ code: "rate_limited" });
  expect(isRunning(late)).toBe(false);
});

test("a slot stays free for a device that signed in before", async () => {
  for (let i = 0; i < 5; i++) work();
  const known = work({ isKnown: true });
  await settle();
  expect(isRunning(known)).toBe(true);
});

test.each([["person"], ["address"]])(
  "one %s takes at most two slots, however often it asks, and others pass those that wait",
  async (source) => {
    const greedy = Array.from({ length: 6 }, (_, i) => work({ sources: [source, `other-${i}`] }));
    const other = work();
    await settle();
    expect(greedy.filter(isRunning)).toHaveLength(2);
    expect(isRunning(other)).toBe(true);
  },
);

test("one source cannot fill the queue", async () => {
  const greedy = Array.from({ length: 13 }, () => work({ sources: ["one"] }));
  expect(await refusalOf(greedy[12]!.outcome)).toMatchObject({ code: "rate_limited" });
  const other = work();
  await settle();
  expect(isRunning(other)).toBe(true);
});
