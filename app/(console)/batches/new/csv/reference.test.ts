import { describe, expect, test } from "vitest";
import { nextReference, partId, proposeReference, referenceError } from "./reference";

const DAY = "2026-11-21";

describe("a reference", () => {
  test.each([
    ["Payouts November.csv", "Payouts-November-2026-11-21"],
    ["größe (2).CSV", "gro-e-2-2026-11-21"],
    ["...", "batch-2026-11-21"],
    ["日本.csv", "batch-2026-11-21"],
  ])("is suggested from %s", (name, proposed) => {
    expect(proposeReference(name, DAY)).toBe(proposed);
  });

  test("that is suggested leaves space for part numbers, however long the file name", () => {
    const proposed = proposeReference(`${"x".repeat(200)}.csv`, DAY);
    expect(referenceError(proposed, 999)).toBeNull();
    expect(partId(proposed, 998, 999)).toHaveLength(64);
  });

  test.each([
    ["", 1, "Enter a reference."],
    ["a b", 1, "Use only"],
    ["a/b", 2, "Use only"],
    [".", 1, "Use more than dots"],
    ["..", 1, "Use more than dots"],
    ["x".repeat(65), 1, "Use up to 64"],
    ["x".repeat(61), 2, "Use up to 60"],
  ])("%j for %i parts is rejected", (reference, parts, message) => {
    expect(referenceError(reference, parts)).toContain(message);
  });

  test("numbers its parts, but not a single one", () => {
    expect(partId("payout", 0, 1)).toBe("payout");
    expect([0, 9, 99].map((part) => partId("payout", part, 120))).toEqual([
      "payout.001",
      "payout.010",
      "payout.100",
    ]);
  });

  test("that is taken is followed by one that is not too long either", () => {
    for (const partCount of [1, 999]) {
      const longest = "x".repeat(partCount === 1 ? 64 : 60);
      const next = nextReference(longest, partCount);
      expect(next).toMatch(/^x+-2$/);
      expect(referenceError(next, partCount)).toBeNull();
      expect(referenceError(nextReference(`${longest.slice(2)}-9`, partCount), partCount)).toBeNull();
    }
  });

  test("that is taken is followed by the next number, and a date is not counted up", () => {
    expect(nextReference("payout", 1)).toBe("payout-2");
    expect(nextReference("payout-2", 1)).toBe("payout-3");
    expect(nextReference("payout-2026-11-21", 1)).toBe("payout-2026-11-21-2");
    expect(nextReference("payout-2026-11-21-2", 1)).toBe("payout-2026-11-21-3");
  });
});
