import { describe, expect, test } from "vitest";
import { proposeWait, readWait, waitOf } from "./wait";

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

  test("that nobody chose is the one of the contract's latest batch, or the minimum, never a day", () => {
    const latest = (finalizeAt: string) => ({ createdAt: "2026-01-31T12:00:00.000Z", finalizeAt });
    expect(proposeWait(undefined, LIMITS)).toEqual({ amount: "1", unit: "hours" });
    expect(proposeWait(latest("2026-01-31T14:00:00.000Z"), LIMITS)).toEqual({ amount: "2", unit: "hours" });
    expect(proposeWait(latest("2026-01-31T12:00:10.000Z"), LIMITS)).toEqual({ amount: "1", unit: "hours" });
    expect(proposeWait(latest("2026-03-01T12:00:00.000Z"), LIMITS)).toEqual({ amount: "24", unit: "hours" });
  });
});
