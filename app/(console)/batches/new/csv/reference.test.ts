import { describe, expect, test } from "vitest";
import { nextReference, partId, proposeReference, referenceFault } from "./reference";

const DAY = "2026-11-21";

describe("a reference", () => {
  test.each([
    ["Payouts November.csv", "Payouts-November-2026-11-21"],
    ["größe (2).CSV", "gro-e-2-2026-11-21"],
    ["...", "batch-2026-11-21"],
    ["日本.csv", "batch-2026-11-21"],
  ])("is proposed from %s", (name, proposed) => {
    expect(proposeReference(name, DAY)).toBe(proposed);
  });

  test("that is proposed leaves room for the numbers of parts, however long the file's name", () => {
    const proposed = proposeReference(`${"x".repeat(200)}.csv`, DAY);
    expect(referenceFault(proposed, 999)).toBeNull();
    expect(partId(proposed, 998, 999)).toHaveLength(64);
  });

  test.each([
    ["", 1, "Write a reference."],
    ["a b", 1, "Use A-Z"],
    ["a/b", 2, "Use A-Z"],
    ["x".repeat(65), 1, "At most 64"],
    ["x".repeat(61), 2, "At most 60"],
  ])("%j of %i parts is refused", (reference, parts, words) => {
    expect(referenceFault(reference, parts)).toContain(words);
  });

  test("numbers its parts, but not a single one", () => {
    expect(partId("payout", 0, 1)).toBe("payout");
    expect([0, 9, 99].map((part) => partId("payout", part, 120))).toEqual([
      "payout.001",
      "payout.010",
      "payout.100",
    ]);
  });

  test("that is taken has a next one that is not too long either", () => {
    for (const partCount of [1, 999]) {
      const longest = "x".repeat(partCount === 1 ? 64 : 60);
      const next = nextReference(longest, partCount);
      expect(next).toMatch(/^x+-2$/);
      expect(referenceFault(next, partCount)).toBeNull();
      expect(referenceFault(nextReference(`${longest.slice(2)}-9`, partCount), partCount)).toBeNull();
    }
  });

  test("that is taken has a next one, and a day stays a day", () => {
    expect(nextReference("payout", 1)).toBe("payout-2");
    expect(nextReference("payout-2", 1)).toBe("payout-3");
    expect(nextReference("payout-2026-11-21", 1)).toBe("payout-2026-11-21-2");
    expect(nextReference("payout-2026-11-21-2", 1)).toBe("payout-2026-11-21-3");
  });
});
