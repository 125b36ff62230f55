import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cached } from "./cached";
import { Coalescer } from "./coalescer";
import { inReportTurn } from "./contract-figures";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("questions asked together", () => {
  type Asked = { questions: number[]; answer(): void; fail(error: Error): void };

  let asked: Asked[];
  let together: Coalescer<number, number>;
  beforeEach(() => {
    asked = [];
    together = new Coalescer(
      (questions) =>
        new Promise((resolve, reject) => {
          asked.push({ questions, answer: () => resolve(questions.map((one) => one * 10)), fail: reject });
        }),
    );
  });
  const questions = () => asked.map((each) => each.questions);

  test("questions that arrive during a call are asked together, and each gets its own answer", async () => {
    const answers = Promise.all([1, 2, 3, 2].map((one) => together.ask(one)));
    expect(questions()).toEqual([[1]]);
    asked[0]!.answer();
    await settle();
    expect(questions()).toEqual([[1], [2, 3, 2]]);
    asked[1]!.answer();
    expect(await answers).toEqual([10, 20, 30, 20]);
  });

  test("a stuck call does not hold up later questions for long", async () => {
    void together.ask(1);
    const later = together.ask(2);
    await vi.advanceTimersByTimeAsync(9);
    expect(questions()).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(questions()).toEqual([[1], [2]]);
    asked[1]!.answer();
    expect(await later).toBe(20);
  });
});

describe("what is kept for a while", () => {
  const SECONDS = 5;
  let reads: { end(value: number): void; fail(error: Error): void }[];
  const read = () =>
    new Promise<number>((resolve, reject) => {
      reads.push({ end: resolve, fail: reject });
    });
  let group = 0;
  const ask = (key = "key") => cached(`test ${group}`, key, SECONDS, read);
  beforeEach(() => {
    reads = [];
    group++;
  });

  test("is read once at a time, however long that takes, and then kept for its seconds", async () => {
    const first = ask();
    await vi.advanceTimersByTimeAsync(SECONDS * 10_000);
    const beside = ask();
    expect(reads).toHaveLength(1);
    reads[0]!.end(1);
    expect(await Promise.all([first, beside])).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(SECONDS * 1000 - 1);
    expect(await ask()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    void ask();
    expect(reads).toHaveLength(2);
  });

  test("is not forgotten while it is read, however much else is", async () => {
    const first = ask();
    for (let other = 0; other < 600; other++) {
      void ask(`other ${other}`);
      reads.at(-1)!.end(other);
      await settle();
    }
    const beside = ask();
    reads[0]!.end(1);
    expect(await Promise.all([first, beside])).toEqual([1, 1]);
    const before = reads.length;
    void ask("other 599");
    expect(reads).toHaveLength(before);
    void ask("other 0");
    expect(reads).toHaveLength(before + 1);
  });

  test("is not kept when the read failed, which all who wait for it see", async () => {
    const asked = [ask(), ask()];
    reads[0]!.fail(new Error("away"));
    for (const each of asked) await expect(each).rejects.toThrow("away");
    const again = ask();
    reads[1]!.end(2);
    expect(await again).toBe(2);
  });
});

describe("reports", () => {
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
});
