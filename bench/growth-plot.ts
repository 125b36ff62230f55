import { writeFileSync } from "node:fs";
import { scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { short } from "./measure";

export interface GrowthLine {
  name: string;
  points: { size: number; value: number }[];
}

const WIDTH = 760;
const HEIGHT = 380;
const MARGIN = { top: 34, right: 170, bottom: 40, left: 60 };
const COLORS = [
  "#2563eb",
  "#7c3aed",
  "#db2777",
  "#ea580c",
  "#65a30d",
  "#0891b2",
  "#475569",
  "#b45309",
  "#059669",
  "#dc2626",
];

/** Plots a request's CPU time by number of batches, on logarithmic axes. */
export function writeGrowthPlot(lines: readonly GrowthLine[]): void {
  const all = lines.flatMap(({ points }) => points);
  if (all.length === 0) return;
  const sizes = [...new Set(all.map(({ size }) => size))];
  const x = scaleLog([Math.min(...sizes), Math.max(...sizes)], [MARGIN.left, WIDTH - MARGIN.right]);
  const values = all.map(({ value }) => value);
  const y = scaleLog(
    [Math.min(...values) / 1.5, Math.max(...values) * 1.5],
    [HEIGHT - MARGIN.bottom, MARGIN.top],
  );
  const path = line<GrowthLine["points"][number]>(
    (point) => x(point.size),
    (point) => y(point.value),
  );
  const labels = placeLabels(lines, (value) => y(value));
  const parts = [
    ...y
      .ticks(4)
      .map(
        (tick) =>
          `<path d="M${MARGIN.left} ${y(tick).toFixed(1)}H${WIDTH - MARGIN.right}" stroke="#8884"/><text x="${MARGIN.left - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${short(tick)}</text>`,
      ),
    ...sizes.map(
      (size) =>
        `<text x="${x(size)}" y="${HEIGHT - MARGIN.bottom + 20}" text-anchor="middle">${short(size)}</text>`,
    ),
    `<text x="${MARGIN.left - 44}" y="18">CPU ms per request (service and Postgres) by number of stored batches</text>`,
    ...lines.map(({ name, points }, at) => {
      const color = COLORS[at % COLORS.length]!;
      const dots = points
        .map((point) => `<circle cx="${x(point.size).toFixed(1)}" cy="${y(point.value).toFixed(1)}" r="3"/>`)
        .join("");
      return `<g fill="${color}"><path d="${path(points)}" fill="none" stroke="${color}" stroke-width="1.5"/>${dots}<text x="${WIDTH - MARGIN.right + 10}" y="${labels.get(name)!.toFixed(1)}">${name}</text></g>`;
    }),
  ];
  writeFileSync(
    "docs/growth.svg",
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#6b7280">\n<title>The cost of a request as the number of batches grows</title>\n${parts.join("\n")}\n</svg>\n`,
  );
}

const LABEL_HEIGHT = 15;

/** Positions of the names at the ends of their lines, without overlaps. */
function placeLabels(lines: readonly GrowthLine[], y: (value: number) => number): Map<string, number> {
  const wanted = lines.map(({ name, points }) => ({ name, at: y(points.at(-1)!.value) + 4 }));
  wanted.sort((one, other) => one.at - other.at);
  const placed = new Map<string, number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const { name, at } of wanted) {
    last = Math.max(at, last + LABEL_HEIGHT);
    placed.set(name, last);
  }
  return placed;
}
