import { expect, test } from "vitest";
import { isReached, regressionsBetween } from "./figures";
import type { Figure } from "./report";

const figure = (key: string, median: number, worse?: Figure["worse"], target?: Figure["target"]): Figure => ({
  key,
  what: key,
  median,
  low: median,
  high: median,
  ...(worse && { worse }),
  ...(target && { target }),
});

test("reports a ratio that fell by more than a fifth, with the previous value", () => {
  const before = [figure("submit", 1, "lower"), figure("list", 1, "lower")];
  expect(
    regressionsBetween(before, [figure("submit", 0.79, "lower"), figure("list", 0.81, "lower")]),
  ).toEqual(["submit: 0.79, was 1 (committed)"]);
});

test("reports a cost that rose by more than a quarter", () => {
  const before = [figure("memory", 100, "higher"), figure("start", 100, "higher")];
  const now = [figure("memory", 126, "higher"), figure("start", 124, "higher")];
  expect(regressionsBetween(before, now)).toEqual(["memory: 126, was 100 (committed)"]);
});

test("does not report improved, new or informational figures", () => {
  const before = [figure("submit", 1, "lower"), figure("stated", 1)];
  expect(
    regressionsBetween(before, [
      figure("submit", 2, "lower"),
      figure("new", 0.1, "lower"),
      figure("stated", 0.1),
    ]),
  ).toEqual([]);
});

test.each([
  [0.84, { atLeast: 0.85 }, false],
  [0.85, { atLeast: 0.85 }, true],
  [1.31, { atMost: 1.3 }, false],
  [1.3, { atMost: 1.3 }, true],
])("%d against the target %j is reached: %s", (median, target, reached) => {
  expect(isReached(figure("a", median, "lower", target))).toBe(reached);
});
