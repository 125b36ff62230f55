import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Coalescer } from "./coalescer";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

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
  const first = together.ask(1);
  await settle();
  const answers = Promise.all([first, ...[2, 3, 2].map((one) => together.ask(one))]);
  expect(questions()).toEqual([[1]]);
  asked[0]!.answer();
  await settle();
  expect(questions()).toEqual([[1], [2, 3, 2]]);
  asked[1]!.answer();
  expect(await answers).toEqual([10, 20, 30, 20]);
});

test("questions of the same turn of the event loop are asked together", async () => {
  const answers = Promise.all([1, 2].map((one) => together.ask(one)));
  await settle();
  expect(questions()).toEqual([[1, 2]]);
  asked[0]!.answer();
  expect(await answers).toEqual([10, 20]);
});

test("a stuck call does not hold up later questions for long", async () => {
  void together.ask(1);
  await settle();
  const later = together.ask(2);
  await vi.advanceTimersByTimeAsync(9);
  expect(questions()).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(questions()).toEqual([[1], [2]]);
  asked[1]!.answer();
  expect(await later).toBe(20);
});
