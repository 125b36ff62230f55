import { line, stack } from "d3-shape";
import { classNames } from "@/app/ui/class-names";
import {
  type Measure,
  type NamedInstant,
  type PlotSeries,
  positionOf,
  seriesColor,
  type ValueAxis,
  valueText,
} from "./axes";

/** Shapes are drawn in a square of this size, which the page stretches to fit. */
export const PLOT_SIDE = 1000;
const BAR_GAP = 0.2;

/** Positions and width on the time axis, as fractions from 0 to 1. */
export interface TimePlaces {
  centre: number[];
  width: number;
}

/** Instants are evenly spaced. */
export const timePlaces = (count: number): TimePlaces => ({
  centre: Array.from({ length: count }, (_, index) => (index + 0.5) / count),
  width: 1 / count,
});

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

interface PlotProps {
  title: string;
  description: string;
  unit: string;
  measure: Measure;
  kind: "line" | "bars";
  series: readonly PlotSeries[];
  instants: readonly NamedInstant[];
  places: TimePlaces;
  axis: ValueAxis;
}

/** Stretched to its box, so it contains no text, and its strokes do not scale. */
export function Plot({ title, description, unit, measure, kind, series, instants, places, axis }: PlotProps) {
  const hover = instants.map(({ label }, index) =>
    [
      label,
      ...series.map((one) => `${one.name}: ${valueText(one.values[index] ?? null, measure)} ${unit}`.trim()),
    ].join("\n"),
  );
  const hitWidth = places.width * PLOT_SIDE;
  return (
    <svg
      role="img"
      aria-label={title}
      viewBox={`0 0 ${PLOT_SIDE} ${PLOT_SIDE}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      <title>{title}</title>
      <desc>{description}</desc>
      {axis.ticks.map(({ at }) => (
        <path
          key={at}
          d={`M0 ${(1 - at) * PLOT_SIDE}H${PLOT_SIDE}`}
          className={classNames("stroke-1", at === 0 ? "stroke-input-line" : "stroke-line")}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {kind === "bars"
        ? bars(series, places, axis.top).map((bar) => (
            <rect
              key={`${bar.series} ${bar.x}`}
              x={bar.x}
              y={bar.y}
              width={bar.width}
              height={bar.height}
              fill={seriesColor(bar.series)}
            />
          ))
        : series.map((one, index) => (
            <g key={one.name} stroke={seriesColor(index)} className="fill-none" strokeLinecap="round">
              <path
                d={linePath(one, places, axis.top)}
                className="stroke-2"
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
              <path
                d={lonePoints(one, places, axis.top)}
                className="stroke-5"
                vectorEffect="non-scaling-stroke"
              />
            </g>
          ))}
      {hover.map((text, index) => (
        <rect
          key={instants[index]!.at}
          x={places.centre[index]! * PLOT_SIDE - hitWidth / 2}
          width={hitWidth}
          height={PLOT_SIDE}
          className="fill-transparent hover:fill-text/8"
        >
          <title>{text}</title>
        </rect>
      ))}
    </svg>
  );
}
