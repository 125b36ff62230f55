import { expect, test } from "vitest";
import { describeRange, rangeOfMonth } from "./describe-range";

const ZONES = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Europe/Berlin", "Africa/Cairo"];

test.each(ZONES)("a calendar month in %s is named, whatever its clocks do", (zone) => {
  for (const [month, name] of [
    ["2026-10", "October 2026"],
    ["2026-03", "March 2026"],
    ["2011-12", "December 2011"],
    ["2024-02", "February 2024"],
  ] as const) {
    const { from, to } = rangeOfMonth(month, zone);
    expect(describeRange(from, to, zone)).toBe(name);
  }
});

test("anything less than a month is days, and anything less than days is instants", () => {
  const { from, to } = rangeOfMonth("2026-10", "Europe/Berlin");
  const day = 86_400_000;
  expect(describeRange(from, new Date(to.getTime() - day), "Europe/Berlin")).toBe("2026-10-01 to 2026-10-30");
  expect(describeRange(from, new Date(from.getTime() + day), "Europe/Berlin")).toBe("2026-10-01");
  expect(describeRange(from, to, "UTC")).toBe("from 2026-09-30 22:00:00 before 2026-10-31 23:00:00");
  expect(describeRange(from, null, "Europe/Berlin")).toBe("from 2026-10-01 00:00:00");
});
