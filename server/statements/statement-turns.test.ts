import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inStatementTurn } from "./statement-turns";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a statement that runs until `end` is called. */
function start(contract: string, log: string[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = inStatementTurn(contract, async () => {
    log.push(contract);
    await ended;
  });
  return { done, end };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test("a contract has one statement running, and the process two; the others take their turn", async () => {
  const log: string[] = [];
  const statements = ["a", "a", "b", "c"].map((contract) => start(contract, log));
  await settle();
  expect(log).toEqual(["a", "b"]);
  statements[0]!.end();
  await settle();
  expect(log).toEqual(["a", "b", "a"]);
  for (const { end } of statements) end();
  await Promise.all(statements.map(({ done }) => done));
  expect(log).toEqual(["a", "b", "a", "c"]);
});

test("a statement that fails gives up its turn", async () => {
  await expect(inStatementTurn("a", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(await inStatementTurn("a", async () => "computed")).toBe("computed");
});

test("a statement whose turn does not come gets 503 with Retry-After, and never runs", async () => {
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

test("at most ten statements of a contract wait, and further ones are refused immediately", async () => {
  const log: string[] = [];
  const statements = Array.from({ length: 11 }, () => start("a", log));
  await expect(start("a", log).done).rejects.toMatchObject({ code: "unavailable" });
  for (const { end } of statements) end();
  await Promise.all(statements.map(({ done }) => done));
  expect(log).toHaveLength(11);
});
