import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { TimeSeries } from "./time-series";

vi.mock("server-only", () => ({}));

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
  expect(html).toMatch(/2026-01-31<\/th><td[\s\S]*>–<\/span><\/td>/);
});
