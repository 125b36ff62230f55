import { expect, test } from "vitest";
import { dayStarts } from "@/app/(console)/contracts/params";

test("days begin at midnight in the zone, and the last boundary is the end of today", () => {
  expect(dayStarts(2, Date.parse("2026-03-01T12:00:00Z"), "Asia/Tokyo")).toEqual([
    "2026-02-27T15:00:00.000Z",
    "2026-02-28T15:00:00.000Z",
    "2026-03-01T15:00:00.000Z",
  ]);
});

test("the day on which clocks go forward has 23 hours", () => {
  const starts = dayStarts(7, Date.parse("2026-03-30T12:00:00Z"), "Europe/Berlin").map((at) =>
    Date.parse(at),
  );
  const hours = starts.slice(1).map((at, i) => (at - starts[i]!) / 3_600_000);
  expect(hours).toEqual([24, 24, 24, 24, 24, 23, 24]);
});
