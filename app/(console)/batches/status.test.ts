import { describe, expect, test } from "vitest";
import { OVERDUE_AFTER_SECONDS } from "@/server/kernel/values/batch-terms";
import { markOf } from "./status";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

describe("the mark next to the status of a batch", () => {
  test.each([
    ["PENDING", OVERDUE_AFTER_SECONDS, null],
    ["PENDING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE"],
    ["FINALIZING", OVERDUE_AFTER_SECONDS, null],
    ["FINALIZING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE"],
    ["FINALIZED", 3600, null],
    ["CANCELLED", 3600, null],
  ] as const)("that is %s and was due %i s ago is %s", (status, seconds, mark) => {
    expect(markOf({ status, finalizeAt: ago(seconds), heldAt: null, awaitsApproval: false }, NOW)).toBe(mark);
  });

  test("that is on hold is never overdue", () => {
    const batch = { status: "PENDING" as const, finalizeAt: ago(3600), awaitsApproval: false };
    expect(markOf({ ...batch, heldAt: ago(60) }, NOW)).toBe("HELD");
  });
});
