import { scaleBand, scaleTime } from "d3-scale";
import { line, stack } from "d3-shape";
import { type PlotSeries, positionOf } from "./plot-series";

/** Shapes are drawn in a square of this size, which the page stretches to fit. */
export const PLOT_SIDE = 1000;
const BAR_GAP = 0.2;

/** Positions and width on the time axis, as fractions from 0 to 1. */
export interface TimePlaces {
  centre: number[];
  width: number;
}

export function timePlaces(kind: "line" | "bars", times: readonly string[]): TimePlaces {
  if (kind === "bars" || times.length < 2) {
    const band = scaleBand<number>(times.keys(), [0, 1]);
    return { centre: times.map((_, index) => band(index)! + band.bandwidth() / 2), width: band.bandwidth() };
  }
  const instants = times.map((at) => Date.parse(at));
  const scale = scaleTime([instants[0]!, instants.at(-1)!], [0, 1]);
  return { centre: instants.map((at) => scale(at)), width: 1 / (times.length - 1) };
}

export function linePath(series: PlotSeries, places: TimePlaces, top: number): string {
  return (
    line<string | null>()
      .defined((value) => value !== null)
      .x((_, index) => places.centre[index]! * PLOT_SIDE)
      .y((value) => (1 - positionOf(value!) / top) * PLOT_SIDE)
      .digits(1)(series.values) ?? ""
  );
}

/** Single values between two gaps, which a line cannot show: each becomes a dot by its round line cap. */
export function lonePoints({ values }: PlotSeries, places: TimePlaces, top: number): string {
  const isKnown = (index: number) => (values[index] ?? null) !== null;
  return values
    .map((value, index) => {
      if (value === null || isKnown(index - 1) || isKnown(index + 1)) return "";
      return `M${places.centre[index]! * PLOT_SIDE} ${(1 - positionOf(value) / top) * PLOT_SIDE}h0`;
    })
    .join("");
}

export interface Bar {
  series: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Stacked in the order of the series, without empty bars. */
export function bars(series: readonly PlotSeries[], places: TimePlaces, top: number): Bar[] {
  const layers = stack<unknown, number, number>()
    .keys(series.keys())
    .value((_, key, index) => positionOf(series[key]!.values[index] ?? "0"))(places.centre);
  const width = places.width * (1 - BAR_GAP) * PLOT_SIDE;
  return layers.flatMap((layer) =>
    layer.flatMap(([low, high], index) => {
      if (high <= low) return [];
      const x = places.centre[index]! * PLOT_SIDE - width / 2;
      const y = (1 - high / top) * PLOT_SIDE;
      return [{ series: layer.key, x, y, width, height: ((high - low) / top) * PLOT_SIDE }];
    }),
  );
}
