import { expect, test } from "vitest";
import { toTimestamp } from "./batch-rows";

test.each([
  ["2026-03-01 00:00:00+00", "2026-03-01T00:00:00.000Z"],
  ["2026-03-01 23:59:59.1+00", "2026-03-01T23:59:59.100Z"],
  ["2026-03-01 23:59:59.12+00", "2026-03-01T23:59:59.120Z"],
  ["2026-03-01 23:59:59.123+00", "2026-03-01T23:59:59.123Z"],
  ["2026-03-01 05:29:59.5+05:30", "2026-02-28T23:59:59.500Z"],
  ["2026-02-28 19:00:00-05", "2026-03-01T00:00:00.000Z"],
])("the database's %s is formatted as %s in any session time zone", (text, timestamp) => {
  expect(toTimestamp(text)).toBe(timestamp);
});

test("a Date is formatted in UTC with milliseconds", () => {
  expect(toTimestamp(new Date(Date.UTC(2026, 2, 1)))).toBe("2026-03-01T00:00:00.000Z");
});
