import { describe, expect, test } from "vitest";
import { OVERDUE_AFTER_SECONDS } from "@/server/kernel/values/batch-state";
import { shownStatus } from "./status";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const dueAgo = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

describe("the shown status of a batch", () => {
  test.each([
    ["PENDING", OVERDUE_AFTER_SECONDS, null],
    ["PENDING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE"],
    ["FINALIZING", OVERDUE_AFTER_SECONDS, null],
    ["FINALIZING", OVERDUE_AFTER_SECONDS + 1, "OVERDUE"],
    ["FINALIZED", 3600, null],
    ["CANCELLED", 3600, null],
  ] as const)("that is %s and was due %i s ago is marked %s", (status, seconds, mark) => {
    expect(
      shownStatus({ status, finalizeAt: dueAgo(seconds), heldAt: null, awaitsApproval: false }, NOW),
    ).toEqual({
      state: status,
      mark,
    });
  });

  test("that is on hold is marked as such, and never as overdue", () => {
    expect(
      shownStatus(
        { status: "PENDING", finalizeAt: dueAgo(3600), heldAt: dueAgo(60), awaitsApproval: false },
        NOW,
      ),
    ).toEqual({
      state: "PENDING",
      mark: "HELD",
    });
  });
});
