import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { type PlotSeries, timeTicks, valueAxis } from "./axes";
import { bars, linePath, timePlaces } from "./plot";
import { TimeSeries } from "./time-series";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const from = (start: string, count: number, stepMs: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(start) + index * stepMs).toISOString());
const one = (...values: (string | null)[]): PlotSeries => ({ name: "one", values });

describe("the value axis", () => {
  test("ends at a round number above every value, with few ticks", () => {
    expect(valueAxis([one("3.5", "7.25")], false)).toEqual({
      top: 8,
      ticks: [0, 2, 4, 6, 8].map((value) => ({ label: String(value), at: value / 8 })),
    });
  });

  test("abbreviates large ticks, up to the largest amounts", () => {
    const labelsOf = (value: string) => valueAxis([one(value)], false).ticks.at(-1)!.label;
    expect(labelsOf("1500000")).toBe("1.5M");
    expect(labelsOf("99999999999999999999999999")).toBe("1E26");
  });

  test.each([
    ["0", ["0", "1 s"]],
    ["61", ["0", "15 s", "30 s", "45 s", "1 min", "1 min 15 s"]],
    ["4820", ["0", "30 min", "1 h", "1 h 30 min"]],
    ["90000", ["0", "6 h", "12 h", "18 h", "1 d", "1 d 6 h"]],
  ])("for %s seconds has round durations", (value, labels) => {
    const axis = valueAxis([one(value)], false, "duration");
    expect(axis.ticks.map(({ label }) => label)).toEqual(labels);
    expect(axis.ticks.at(-1)!.at).toBe(1);
    expect(axis.top).toBeGreaterThanOrEqual(Number(value));
  });
});

describe("the time axis", () => {
  test.each([1, 2, 7, 61, 97, 120])("has one to six labels for %i instants at odd times", (count) => {
    for (const stepMs of [MINUTE_MS, 37 * MINUTE_MS, DAY_MS]) {
      const ticks = timeTicks(from("2026-01-31T13:05:07Z", count, stepMs), "Europe/Berlin");
      expect(ticks.length).toBeGreaterThanOrEqual(1);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });
});

describe("shapes", () => {
  const times = from("2026-01-31T00:00:00Z", 3, DAY_MS);

  test("a line spans all instants, and 0 is on the baseline", () => {
    expect(linePath(one("0", "5", "10"), timePlaces("line", times), 10)).toBe("M0,1000L500,500L1000,0");
  });

  test("a line has a gap where a value is missing", () => {
    const four = from("2026-01-31T00:00:00Z", 4, DAY_MS);
    expect(linePath(one("0", "10", null, "10"), timePlaces("line", four), 10)).toBe(
      "M0,1000L333.3,0M1000,0Z",
    );
  });

  test("bars are stacked and stay within the plot", () => {
    const drawn = bars([one("1", "0", "2"), one("3", "4", "0")], timePlaces("bars", times), 4);
    expect(drawn.map(({ series, y, height }) => [series, y, height])).toEqual([
      [0, 750, 250],
      [0, 500, 500],
      [1, 0, 750],
      [1, 0, 1000],
    ]);
    for (const { x, width } of drawn) {
      expect(x).toBeGreaterThan(0);
      expect(x + width).toBeLessThan(1000);
    }
  });
});

vi.mock("server-only", () => ({}));

const LARGE = "12345678901234567890123456.000000000001";
const LARGE_GROUPED = "12,345,678,901,234,567,890,123,456.000000000001";
const TIMES = ["2026-01-30T00:00:00Z", "2026-01-31T00:00:00Z"];

const render = (kind: "line" | "bars", values: (string | null)[], names = ["points"]) =>
  renderToStaticMarkup(
    createElement(TimeSeries, {
      title: "Points per day",
      description: "Points credited on each day.",
      unit: "points",
      kind,
      times: TIMES,
      series: names.map((name) => ({ name, values })),
      zone: "UTC",
      empty: "Nothing was credited.",
    }),
  );

test.each(["line", "bars"] as const)(
  "a plot of %s prints amounts exactly, in the table and on hover",
  (kind) => {
    const html = render(kind, [LARGE, "0.1"]);
    expect(html.split(LARGE_GROUPED)).toHaveLength(3);
    expect(html).toContain(`<title>2026-01-30\npoints: ${LARGE_GROUPED} points</title>`);
    expect(html).toMatch(/<th scope="row"[^>]*>2026-01-31<\/th><td[^>]*>0\.1<\/td>/);
  },
);

test("a missing value is a dash, never a 0", () => {
  expect(render("line", [null, "2"])).toMatch(/<th scope="row"[^>]*>2026-01-30<\/th><td[^>]*>–<\/td>/);
});

test("a plot without a value above 0 says so", () => {
  expect(render("bars", ["0", "0"])).toContain("Nothing was credited.");
  expect(render("bars", ["0", "1"])).not.toContain("Nothing was credited.");
});
