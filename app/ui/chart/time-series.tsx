import { ScrollRegion } from "@/app/ui/scroll-region";
import {
  type Measure,
  type NamedInstant,
  nameInstants,
  type PlotSeries,
  positionOf,
  seriesColor,
  timeTicks,
  valueAxis,
  valueText,
} from "./axes";
import "server-only";
import { classNames } from "@/app/ui/class-names";
import { Plot, timePlaces } from "./plot";

interface ValueTableProps {
  title: string;
  unit: string;
  measure: Measure;
  instants: readonly NamedInstant[];
  zone: string;
  series: readonly PlotSeries[];
}

/** The exact values, also for screen readers. */
export function ValueTable({ title, unit, measure, instants, zone, series }: ValueTableProps) {
  return (
    <details className="group text-table">
      <summary className="w-fit cursor-pointer rounded-badge text-muted hover:text-text">
        <span className="group-open:hidden">Show as table</span>
        <span className="hidden group-open:inline">Hide table</span>
      </summary>
      <ScrollRegion
        aria-label={`${title}, table`}
        className="mt-2 max-h-72 overflow-auto rounded-control border border-line"
      >
        <table className="w-full border-collapse tabular-nums">
          <caption className="sr-only">{unit ? `${title}, ${unit}` : title}</caption>
          <thead className="sticky top-0 bg-surface text-label text-muted">
            <tr>
              <th scope="col" className="px-3 py-1.5 text-left font-medium">
                Time ({zone})
              </th>
              {series.map(({ name }) => (
                <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                  {unit ? `${name} (${unit})` : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {instants.map(({ at, label }, index) => (
              <tr key={at} className="border-line border-t">
                <th scope="row" className="whitespace-nowrap px-3 py-1 text-left font-normal">
                  {label}
                </th>
                {series.map(({ name, values }) => (
                  <td key={name} className="whitespace-nowrap px-3 py-1 text-right">
                    {valueText(values[index] ?? null, measure)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}

const HEIGHT_PX = 192;
/** Closer to the edge than this, a centered label would overflow the plot. */
const EDGE = 0.04;

interface TimeSeriesProps {
  title: string;
  /** One sentence for screen readers. */
  description: string;
  /** Omitted for durations, which include their units. */
  unit?: string;
  measure?: Measure;
  /** Bars for counts per period, stacked in the order of the series; a line for measurements. */
  kind: "line" | "bars";
  /** RFC 3339, ascending; for bars the start of each period. */
  times: readonly string[];
  /** Up to five, each with a value per instant. */
  series: readonly PlotSeries[];
  /** IANA time zone. */
  zone: string;
  /** Shown over the plot when no value is above 0. */
  empty?: string;
}

/** Rendered on the server, without client-side script. */
export function TimeSeries(props: TimeSeriesProps) {
  const { title, description, unit = "", measure = "amount", kind, times, series, zone, empty } = props;
  const axis = valueAxis(series, kind === "bars", measure);
  const places = timePlaces(times.length);
  const instants = nameInstants(times, zone);
  const isEmpty = series.every(({ values }) =>
    values.every((value) => value === null || positionOf(value) === 0),
  );
  return (
    <figure className="@container flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span>
          <span className="font-medium">{title}</span>{" "}
          {!title.toLowerCase().startsWith(unit.toLowerCase()) && (
            <span className="text-label text-muted">{unit}</span>
          )}
        </span>
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <div className="flex gap-2 pt-2">
        <ValueLabels axis={axis} />
        <div className="min-w-0 flex-1">
          <div className="relative" style={{ height: HEIGHT_PX }}>
            <Plot {...{ title, description, unit, measure, kind, series, instants, places, axis }} />
            {isEmpty && empty && (
              <p className="absolute inset-0 grid place-items-center text-center text-muted">{empty}</p>
            )}
          </div>
          <TimeLabels ticks={timeTicks(times, zone)} centre={places.centre} />
        </div>
      </div>
      <ValueTable {...{ title, unit, measure, instants, zone, series }} />
    </figure>
  );
}

function ValueLabels({ axis }: { axis: ReturnType<typeof valueAxis> }) {
  const longest = Math.max(...axis.ticks.map(({ label }) => label.length));
  return (
    <div
      aria-hidden
      className="relative text-label text-muted tabular-nums"
      style={{ width: `${longest}ch` }}
    >
      {axis.ticks.map(({ at, label }) => (
        <span
          key={at}
          className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
          style={{ top: (1 - at) * HEIGHT_PX }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

function TimeLabels({ ticks, centre }: { ticks: ReturnType<typeof timeTicks>; centre: number[] }) {
  return (
    <div aria-hidden className="relative mt-1 h-4 text-label text-muted tabular-nums">
      {ticks.map(({ index, label }, position) => {
        const at = centre[index]!;
        const shift = at < EDGE ? "" : at > 1 - EDGE ? "-translate-x-full" : "-translate-x-1/2";
        return (
          <span
            key={index}
            className={classNames(
              "absolute whitespace-nowrap",
              shift,
              position % 2 === 1 && "hidden @md:block",
            )}
            style={{ left: `${at * 100}%` }}
          >
            {label}
          </span>
        );
      })}
    </div>
  );
}

function Legend({ series }: { series: readonly PlotSeries[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-label">
      {series.map(({ name }, index) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden className="h-2 w-3 rounded-xs" style={{ background: seriesColor(index) }} />
          {name}
        </li>
      ))}
    </ul>
  );
}
