import { expect, test } from "vitest";
import { dayStarts, runsOutText } from "@/app/(console)/contracts/params";
import type { ForecastOut } from "@/server/forecast/schema";

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

const PREFUNDED = { issuance: "PREFUNDED", readAt: "2026-05-20T12:00:30.000Z" } as const;
const funds = (available: string, submittedLast7Days: string, runsOutAt: string | null) =>
  ({ available, submittedLast7Days, runsOutAt }) as ForecastOut;
const runsOut = (...given: Parameters<typeof funds>) =>
  runsOutText(PREFUNDED, funds(...given), "points", "Asia/Tokyo");

test("when points run out is in the viewer's time zone", () => {
  expect(runsOut("2900.5", "7100", "2026-05-23T16:05:00.000Z")).toBe(
    "2,900.5 points available. At the pace of the last 7 days (7,100 points submitted), they run out at 2026-05-24 01:05 (Asia/Tokyo).",
  );
});

test("what does not run out, and what has run out, is said", () => {
  expect(runsOut("5", "0", null)).toBe("5 points available. No points submitted in the last 7 days.");
  expect(runsOut("5", "0.01", null)).toMatch(/they last for more than 100 years\.$/);
  expect(runsOut("0", "5", "2026-05-20T12:00:00.000Z")).toBe("No points available.");
  expect(runsOut("0.01", "7100", "2026-05-20T12:00:00.000Z")).toMatch(/they run out within a minute\.$/);
});
