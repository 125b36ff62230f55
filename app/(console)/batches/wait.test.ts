import { describe, expect, test } from "vitest";
import { readWait, waitOf } from "./wait";

const LIMITS = { minimumFinalizeSeconds: 3600, defaultFinalizeSeconds: 86_400 };

describe("a wait", () => {
  test("is shown in the largest unit without a fraction", () => {
    expect(waitOf(86_400)).toEqual({ amount: "24", unit: "hours" });
    expect(waitOf(5400)).toEqual({ amount: "90", unit: "minutes" });
    expect(waitOf(61)).toEqual({ amount: "61", unit: "seconds" });
  });

  test.each([
    ["24", "hours", 86_400],
    ["1.5", "hours", 5400],
    [" 90 ", "minutes", 5400],
    ["3600", "seconds", 3600],
  ] as const)("of %s %s is %i seconds", (amount, unit, seconds) => {
    expect(readWait({ amount, unit }, LIMITS)).toEqual({ seconds });
  });

  test.each([
    ["", "hours", "Enter a number"],
    ["1e2", "minutes", "Enter a number"],
    ["-1", "hours", "Enter a number"],
    ["4000.5", "seconds", "whole number of seconds"],
    ["59", "minutes", "Enter at least 1 h."],
    ["25", "hours", "Enter at most 1 d."],
  ] as const)("of %j %s is rejected: %s", (amount, unit, message) => {
    expect(readWait({ amount, unit }, LIMITS)).toEqual({ error: expect.stringContaining(message) });
  });
});
