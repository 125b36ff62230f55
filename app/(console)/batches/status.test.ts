import { describe, expect, test } from "vitest";
import { OVERDUE_AFTER_SECONDS } from "@/server/batches/state";
import { shownStatus } from "./status";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const dueAgo = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

describe("a batch's badge", () => {
  test.each([
    ["PENDING", OVERDUE_AFTER_SECONDS, "PENDING"],
    ["PENDING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE"],
    ["FINALIZING", OVERDUE_AFTER_SECONDS, "FINALIZING"],
    ["FINALIZING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE"],
    ["FINALIZED", 3600, "FINALIZED"],
    ["CANCELLED", 3600, "CANCELLED"],
  ] as const)("of a %s one that was due %i s ago is %s, as in the overdue list", (status, seconds, shown) => {
    expect(shownStatus({ status, finalizeAt: dueAgo(seconds), heldAt: null }, NOW)).toBe(shown);
  });

  test("of one that staff hold never says that it is late", () => {
    expect(shownStatus({ status: "PENDING", finalizeAt: dueAgo(3600), heldAt: dueAgo(60) }, NOW)).toBe(
      "HELD",
    );
  });
});
