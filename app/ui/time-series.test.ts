import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { linePaths, type PlotSeries, TimeSeries, valueAxis } from "./time-series";

vi.mock("server-only", () => ({}));

const one = (...values: (string | null)[]): PlotSeries => ({ name: "one", values });

test("the value axis ends at a round number or duration above every value, with few ticks", () => {
  expect(valueAxis([one("3.5", "7.25")], "amounts")).toEqual({
    top: 8,
    ticks: [0, 2, 4, 6, 8].map((value) => ({ label: String(value), at: value / 8 })),
  });
  const labels = (value: string) => valueAxis([one(value)], "durations").ticks.map(({ label }) => label);
  expect(labels("61")).toEqual(["0", "15 s", "30 s", "45 s", "1 min", "1 min 15 s"]);
  expect(labels("90000")).toEqual(["0", "6 h", "12 h", "18 h", "1 d", "1 d 6 h"]);
  expect(labels(String(15 * 86_400 - 1))).toEqual(["0", "5 d", "10 d", "15 d"]);
  expect(labels(String(21 * 86_400))).toEqual(["0", "5 d", "10 d", "15 d", "20 d", "25 d"]);
});

test("a line spans all instants, has a gap where a value is missing, and shows a value between gaps as a dot", () => {
  expect(linePaths(one("0", "10", null, "10"), 10)).toEqual({ line: "M125 1000L375 0", dots: "M875 0h0" });
});

test("a plot prints amounts exactly, in the table and on hover, and a missing value as a dash", () => {
  const grouped = "12,345,678,901,234,567,890,123,456.000000000001";
  const html = renderToStaticMarkup(
    createElement(TimeSeries, {
      title: "Points per day",
      description: "Points credited on each day.",
      unit: "points",
      kind: "amounts",
      times: ["2026-01-30T00:00:00Z", "2026-01-31T00:00:00Z"],
      series: [{ name: "points", values: ["12345678901234567890123456.000000000001", null] }],
      zone: "UTC",
      empty: "Nothing was credited.",
    }),
  );
  expect(html.split(grouped)).toHaveLength(3);
  expect(html).toContain(`<title>2026-01-30\npoints: ${grouped} points</title>`);
  expect(html).toMatch(/<th scope="row"[^>]*>2026-01-31<\/th><td[^>]*>–<\/td>/);
});
