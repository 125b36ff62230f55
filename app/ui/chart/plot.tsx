import { classNames } from "../class-names";
import { type PlotSeries, seriesColor } from "./plot-series";
import { bars, linePath, lonePoints, PLOT_SIDE, type TimePlaces } from "./plot-shapes";
import type { NamedInstant } from "./time-axis";
import type { ValueAxis } from "./value-axis";
import { type Measure, valueText } from "./value-text";

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
