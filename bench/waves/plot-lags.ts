import { writeFileSync } from "node:fs";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";

export interface LagCurve {
  name: string;
  /** Milliseconds, ascending. */
  lags: readonly number[];
  dashed?: boolean;
}

const WIDTH = 720;
const HEIGHT = 320;
const MARGIN = { top: 34, right: 190, bottom: 44, left: 60 };
const COLORS = ["#2563eb", "#db2777", "#65a30d", "#ea580c", "#7c3aed", "#0891b2"];
const POINTS = 100;

/** Plots the share of finalized batches by the time since they were due. */
export function plotLags(file: string, title: string, curves: readonly LagCurve[]): void {
  const longest = Math.max(...curves.map(({ lags }) => lags.at(-1)! / 1000));
  const x = scaleLinear([0, longest], [MARGIN.left, WIDTH - MARGIN.right]).nice();
  const y = scaleLinear([0, 100], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const path = line<[number, number]>(
    ([seconds]) => x(seconds),
    ([, percent]) => y(percent),
  ).digits(1);
  const grid = [
    ...x
      .ticks(6)
      .map(
        (tick) =>
          `<text x="${x(tick).toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${tick}</text>`,
      ),
    ...y
      .ticks(5)
      .map(
        (tick) =>
          `<path d="M${MARGIN.left} ${y(tick)}H${WIDTH - MARGIN.right}" stroke="#8884"/><text x="${MARGIN.left - 8}" y="${y(tick) + 4}" text-anchor="end">${tick} %</text>`,
      ),
    `<text x="${MARGIN.left}" y="18">${title}</text>`,
    `<text x="${WIDTH - MARGIN.right}" y="${HEIGHT - 8}" text-anchor="end">seconds after they were due</text>`,
  ];
  const lines = curves.map(({ name, lags, dashed }, at) => {
    const color = COLORS[(dashed ? at - 1 : at) % COLORS.length]!;
    const labelAt = MARGIN.top + 12 + at * 18;
    return `<g stroke="${color}" stroke-width="1.6" fill="none"${dashed ? ' stroke-dasharray="5 4"' : ""}><path d="${path(curveOf(lags))}"/><path d="M${WIDTH - MARGIN.right + 12} ${labelAt - 4}h22"/></g><text x="${WIDTH - MARGIN.right + 40}" y="${labelAt}">${name}</text>`;
  });
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#6b7280">\n<title>${title}</title>\n${[...grid, ...lines].join("\n")}\n</svg>\n`,
  );
}

function curveOf(lags: readonly number[]): [number, number][] {
  return Array.from({ length: POINTS + 1 }, (_, at) => {
    const share = at / POINTS;
    return [lags[Math.min(lags.length - 1, Math.floor(share * lags.length))]! / 1000, share * 100];
  });
}
