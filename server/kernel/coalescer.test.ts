import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Coalescer } from "./limits";

interface Asked {
  questions: number[];
  answer(): void;
  fail(error: Error): void;
}

let asked: Asked[];
let together: Coalescer<number, number>;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  together = new Coalescer(
    (questions) =>
      new Promise((resolve, reject) => {
        asked.push({ questions, answer: () => resolve(questions.map((one) => one * 10)), fail: reject });
      }),
  );
});
afterEach(() => void vi.useRealTimers());

const questions = () => asked.map((each) => each.questions);

test("a lone question is asked immediately", async () => {
  const answer = together.ask(1);
  expect(questions()).toEqual([[1]]);
  asked[0]!.answer();
  expect(await answer).toBe(10);
});

test("questions that arrive during a call are asked together, and each gets its own answer", async () => {
  const answers = Promise.all([1, 2, 3, 2].map((one) => together.ask(one)));
  expect(questions()).toEqual([[1]]);
  asked[0]!.answer();
  await vi.advanceTimersByTimeAsync(0);
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

test("an error reaches all questions of the same call, and no others", async () => {
  const [first, second, third] = [together.ask(1), together.ask(2), together.ask(3)];
  const outcomes = Promise.allSettled([first, second, third]);
  asked[0]!.answer();
  await vi.advanceTimersByTimeAsync(0);
  const later = together.ask(4);
  asked[1]!.fail(new Error("gone"));
  await vi.advanceTimersByTimeAsync(0);
  asked[2]!.answer();
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await later).toBe(40);
});
