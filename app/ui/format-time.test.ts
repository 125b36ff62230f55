import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { dayStarts, runsOutText } from "@/app/(console)/contracts/contract-params";
import { formatInstant, instantAt, startOfDay } from "@/app/ui/format-time";
import type { ForecastOfType } from "@/server/forecast/make-forecast";

const Original = Intl.DateTimeFormat;
afterEach(() => {
  Intl.DateTimeFormat = Original;
});

const startOf = (day: string, zone: string) => new Date(startOfDay(day, 0, zone)).toISOString();

describe("a day starts at its first instant", () => {
  test.each([
    ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
    // Clocks jump from 00:00 to 01:00, so that there is no midnight.
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
    // They go back from 01:00 to 00:00, so that there are two.
    ["2026-11-01", "America/Havana", "2026-11-01T04:00:00.000Z"],
    // They go back from 24:00 to 23:00 of the day before.
    ["2026-04-05", "America/Santiago", "2026-04-05T04:00:00.000Z"],
    // A day that the calendar skipped.
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
  ])("%s in %s", (day, zone, start) => {
    expect(startOf(day, zone)).toBe(start);
  });
});

describe("a local time is the instant at which clocks of the zone show it", () => {
  test.each([
    ["2026-07-01T12:00:30", "Europe/Berlin", "2026-07-01T10:00:30.000Z"],
    // As browsers write a time whose seconds are 0.
    ["2026-01-01T00:30", "Asia/Kolkata", "2025-12-31T19:00:00.000Z"],
    // Within hours of a clock change, on both sides.
    ["2026-03-29T01:59:59", "Europe/Berlin", "2026-03-29T00:59:59.000Z"],
    ["2026-03-29T03:00:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    ["2026-11-01T01:00:00", "America/Los_Angeles", "2026-11-01T08:00:00.000Z"],
    ["2026-11-01T02:00:00", "America/Los_Angeles", "2026-11-01T10:00:00.000Z"],
  ])("%s in %s", (local, zone, instant) => {
    expect(new Date(instantAt(local, zone)).toISOString()).toBe(instant);
  });
});

test("a chart's days begin at midnight in the zone; when clocks go forward, one has 23 hours", () => {
  expect(dayStarts(2, Date.parse("2026-03-01T12:00:00Z"), "Asia/Tokyo")).toEqual([
    "2026-02-27T15:00:00.000Z",
    "2026-02-28T15:00:00.000Z",
    "2026-03-01T15:00:00.000Z",
  ]);
  const starts = dayStarts(3, Date.parse("2026-03-30T12:00:00Z"), "Europe/Berlin").map((at) =>
    Date.parse(at),
  );
  expect(starts.slice(1).map((at, i) => (at - starts[i]!) / 3_600_000)).toEqual([24, 23, 24]);
});

test("when points run out is in the viewer's time zone, and what does not or did run out is said", () => {
  const contract = { issuance: "PREFUNDED", readAt: "2026-05-20T12:00:30.000Z" } as const;
  const runsOut = (available: string, submittedLast7Days: string, runsOutAt: string | null) =>
    runsOutText(
      contract,
      { available, submittedLast7Days, runsOutAt } as ForecastOfType,
      "points",
      "Asia/Tokyo",
    );
  expect(runsOut("2900.5", "7100", "2026-05-23T16:05:00.000Z")).toBe(
    "2,900.5 points available. At the pace of the last 7 days (7,100 points submitted), " +
      "they run out at 2026-05-24 01:05 (Asia/Tokyo).",
  );
  expect(runsOut("5", "0", null)).toBe("5 points available. No points submitted in the last 7 days.");
  expect(runsOut("5", "0.01", null)).toMatch(/they last for more than 100 years\.$/);
  expect(runsOut("0", "5", "2026-05-20T12:00:00.000Z")).toBe("No points available.");
});

test("spellings of a time zone share a formatter, and few formatters are kept", () => {
  let made = 0;
  Intl.DateTimeFormat = class extends Original {
    constructor(...given: ConstructorParameters<typeof Original>) {
      super(...given);
      made++;
    }
  } as typeof Original;
  const at = Date.UTC(2026, 0, 1);
  const spellings = Array.from({ length: 200 }, (_, bits) =>
    [..."europe/berlin"]
      .map((letter, index) => ((bits >> (index % 13)) & 1 ? letter.toUpperCase() : letter))
      .join(""),
  );
  for (const zone of spellings) expect(formatInstant(at, zone)).toBe("2026-01-01 01:00:00");
  expect(made).toBeLessThanOrEqual(1);

  const zones = Intl.supportedValuesOf("timeZone").slice(0, 100);
  for (const zone of zones) formatInstant(at, zone);
  const first = made;
  // The last ones are still there, the first ones are not.
  for (const zone of zones.slice(-20)) formatInstant(at, zone);
  expect(made).toBe(first);
  formatInstant(at, zones[0]!);
  expect(made).toBe(first + 1);
});

test("a screen that is first opened long after the page was drawn shows the server's time", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-05-01T12:00:00Z") });
  // The server's clock is an hour ahead.
  const paintedAt = "2026-05-01T13:00:00Z";
  vi.doMock("react", async (original) => ({
    ...(await original<object>()),
    use: () => ({ paintedAt }),
    useState: (first: unknown) => [first, () => undefined],
    useEffect: (run: () => void) => run(),
    useSyncExternalStore: (subscribe: (listener: () => void) => void, read: () => number) => {
      const first = read();
      subscribe(() => undefined);
      return [first, read()];
    },
  }));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock("react");
    vi.resetModules();
    vi.useRealTimers();
  });
  const { TimeZoneProvider, useServerNow } = await import("./time");
  TimeZoneProvider({ initialZone: "UTC", defaultZone: "UTC", paintedAt, children: null });
  vi.advanceTimersByTime(600_000);
  const shown = Date.parse("2026-05-01T13:10:00Z");
  expect(useServerNow()).toEqual([shown, shown]);
});
