import { expect, test } from "vitest";
import { whyOpen } from "./received-table";

const at = (seconds: number) => Date.parse("2026-05-01T12:00:00Z") + seconds * 1000;

test.each([
  ["PENDING", null, -29 * 60, "Due in 29 min"],
  ["PENDING", null, 0, "Due now"],
  ["PENDING", null, 5, "Due now"],
  ["PENDING", null, 4 * 60, "Overdue by 4 min"],
  ["FINALIZING", null, 1, "Being finalized"],
  ["FINALIZING", null, 4 * 60, "Being finalized, overdue by 4 min"],
  ["PENDING", "2026-05-01T11:00:00Z", 4 * 60, null],
  ["FINALIZED", null, 60, null],
  ["CANCELLED", null, 60, null],
] as const)(
  "why a %s transfer (on hold: %s) is not credited %i s after its due time: %s",
  (status, heldAt, late, text) => {
    const transfer = { status, heldAt, finalizeAt: "2026-05-01T12:00:00Z", awaitsApproval: false };
    expect(whyOpen(transfer, at(late))).toBe(text);
  },
);

test("a transfer whose batch awaits approval says so, however late it is", () => {
  const transfer = {
    status: "PENDING",
    heldAt: null,
    finalizeAt: "2026-05-01T12:00:00Z",
    awaitsApproval: true,
  } as const;
  expect(whyOpen(transfer, at(4 * 60))).toBe("Awaits approval");
});
