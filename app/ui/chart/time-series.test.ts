import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { TimeSeries } from "./time-series";

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

test("a plot has a name, a description and a table", () => {
  const html = render("line", ["1", "2"]);
  expect(html).toContain("<title>Points per day</title><desc>Points credited on each day.</desc>");
  expect(html).toContain("Show as table");
});

test("a missing value is a dash, never a 0", () => {
  expect(render("line", [null, "2"])).toMatch(/<th scope="row"[^>]*>2026-01-30<\/th><td[^>]*>–<\/td>/);
});

test("a plot without a value above 0 says so", () => {
  expect(render("bars", ["0", "0"])).toContain("Nothing was credited.");
  expect(render("bars", ["0", "1"])).not.toContain("Nothing was credited.");
});

test("more series than colors are rejected", () => {
  expect(() => render("line", ["1", "2"], ["a", "b", "c", "d", "e", "f"])).toThrow(/at most 5/);
});
