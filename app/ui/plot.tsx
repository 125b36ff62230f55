import "server-only";
import { clsx } from "clsx";
import { scaleLinear } from "d3-scale";
import { formatAmount } from "@/app/ui/amount";
import { DataTable } from "@/app/ui/data-table";
import { formatDuration } from "@/terms/output-text";

export interface PlotSeries {
  name: string;
  /** One decimal string per place on the axis, 0 or more; null leaves a gap in a line. */
  values: readonly (string | null)[];
}

/** Amounts as bars, stacked in the order of the series; seconds or percentages as lines. */
type Kind = "amounts" | "durations" | "shares";

export interface PlotProps {
  title: string;
  /** One sentence for screen readers. */
  description: string;
  /** Omitted where the values include it. */
  unit?: string;
  kind: Kind;
  /** Each place on the axis in words, for the table and the tooltips. */
  labels: readonly string[];
  /** What they are: the heading of their column. */
  labelName: string;
  /** The places that are named below the axis, in short. */
  ticks: readonly { index: number; label: string }[];
  /** Up to three, each with a value per place. */
  series: readonly PlotSeries[];
  /** Shown over the plot when no value is above 0. */
  empty: string;
}

const HEIGHT_PX = 192;
/** Closer to the edge than this, a centered label would overflow the plot. */
const EDGE = 0.04;

/** Of all plots on the page: shows their values as tables below them. */
export const TablesSwitch = () => (
  <label className="flex min-h-7 items-center gap-2 text-label text-muted">
    <input type="checkbox" name="plots-as-tables" className="size-3.5 accent-accent" />
    Show as tables
  </label>
);

/** Rendered on the server, without client-side script. */
export function Plot(props: PlotProps) {
  const { title, unit = "", kind, labels, ticks, series, empty } = props;
  const axis = valueAxis(series, kind);
  const isEmpty = series.every(({ values }) => values.every((value) => Number(value) === 0));
  return (
    <figure className="@container flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span>
          <span className="font-medium">{title}</span>{" "}
          {!title.toLowerCase().startsWith(unit.toLowerCase()) && <span className="hint">{unit}</span>}
        </span>
        {series.length > 1 && (
          <ul className="flex flex-wrap gap-x-3 gap-y-1 text-label">
            {series.map(({ name }, index) => (
              <li key={name} className="flex items-center gap-1.5">
                <span aria-hidden className="h-2 w-3 rounded-xs" style={{ background: seriesColor(index) }} />
                {name}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <div className="flex gap-2 pt-2">
        <ValueLabels ticks={axis.ticks} />
        <div className="min-w-0 flex-1">
          <div className="relative" style={{ height: HEIGHT_PX }}>
            <Drawing {...props} axis={axis} />
            {isEmpty && (
              <p className="absolute inset-0 grid place-items-center text-center text-muted">{empty}</p>
            )}
          </div>
          <TickLabels ticks={ticks} count={labels.length} />
        </div>
      </div>
      <ValueTable {...props} />
    </figure>
  );
}

const seriesColor = (index: number) => `var(--plot-${index + 1})`;

const SHORT_SECONDS_MAX = 60;

/** `1 h 7 min`; below a minute with decimals: `0.25 s`. */
function durationText(seconds: number): string {
  if (seconds === 0) return "0";
  return seconds < SHORT_SECONDS_MAX ? `${formatAmount(String(seconds))} s` : formatDuration(seconds);
}

/** A dash for a missing value. Amounts are printed exactly; floats are for positions only. */
function valueText(value: string | null | undefined, kind: Kind): string {
  if (value === null || value === undefined) return "–";
  if (kind === "durations") return durationText(Number(value));
  return kind === "amounts" ? formatAmount(value) : `${formatAmount(value)}%`;
}

const TICKS_WANTED = 4;
/** Above this, compact notation is unreadable: `100,000,000T`. */
const SCIENTIFIC_FROM = 1e15;

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });
const scientific = new Intl.NumberFormat("en-US", { notation: "scientific", maximumSignificantDigits: 4 });
export const tickLabel = (tick: number) => (tick >= SCIENTIFIC_FROM ? scientific : compact).format(tick);

function labelOf(tick: number, kind: Kind): string {
  if (kind === "durations") return durationText(tick);
  return kind === "amounts" ? tickLabel(tick) : `${tick}%`;
}

interface ValueAxis {
  /** A round number above every value. */
  top: number;
  /** `at` is a fraction of the height, 0 at the bottom. */
  ticks: { label: string; at: number }[];
}

const UNITS_SECONDS = [86_400, 3600, 60, 1];

/** Starts at 0. Ticks are whole when every value is, and at round numbers of the largest unit that fits. */
function valueAxis(series: readonly PlotSeries[], kind: Kind): ValueAxis {
  const most = kind === "shares" ? 100 : mostOf(series, kind) || 1;
  const isDuration = kind === "durations";
  const unit = (isDuration && UNITS_SECONDS.find((seconds) => 2 * seconds <= most)) || 1;
  const isWhole = series.every(({ values }) => values.every((value) => !value?.includes(".")));
  const scale = scaleLinear([0, most / unit], [0, 1]).nice(TICKS_WANTED);
  const ticks = scale
    .ticks(TICKS_WANTED)
    .filter((tick) => !isWhole || Number.isInteger(tick * unit))
    .map((tick) => ({ label: labelOf(tick * unit, kind), at: scale(tick) }));
  return { top: scale.domain()[1]! * unit, ticks };
}

/** Of the lines, or of the stacks of bars. */
function mostOf(series: readonly PlotSeries[], kind: Kind): number {
  const heights = series[0]?.values.map((_, index) => {
    const here = series.map(({ values }) => Number(values[index]));
    return kind === "amounts" ? here.reduce((sum, value) => sum + value, 0) : Math.max(...here);
  });
  return Math.max(0, ...(heights ?? []));
}

const ValueLabels = ({ ticks }: Pick<ValueAxis, "ticks">) => (
  <div
    aria-hidden
    className="relative hint tabular-nums"
    style={{ width: `${Math.max(...ticks.map(({ label }) => label.length))}ch` }}
  >
    {ticks.map(({ at, label }) => (
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

function TickLabels({ ticks, count }: Pick<PlotProps, "ticks"> & { count: number }) {
  return (
    <div aria-hidden className="relative mt-1 h-4 hint tabular-nums">
      {ticks.map(({ index, label }, position) => {
        const at = (index + 0.5) / count;
        const shift = at < EDGE ? "" : at > 1 - EDGE ? "-translate-x-full" : "-translate-x-1/2";
        return (
          <span
            key={index}
            className={clsx("absolute whitespace-nowrap", shift, position % 2 === 1 && "hidden @md:block")}
            style={{ left: `${at * 100}%` }}
          >
            {label}
          </span>
        );
      })}
    </div>
  );
}

/** Shapes are drawn in a square of this size, which the page stretches to fit. */
const SIDE = 1000;
const BAR_GAP = 0.2;

interface DrawnSeries extends Pick<PlotProps, "series"> {
  top: number;
  /** Width of a place. */
  step: number;
}

function Bars({ series, top, step }: DrawnSeries) {
  const stacked: number[] = [];
  return series.map(({ name, values }, at) =>
    values.map((value, index) => {
      const height = (Number(value) / top) * SIDE;
      const below = stacked[index] ?? 0;
      stacked[index] = below + height;
      const x = (index + BAR_GAP / 2) * step;
      return (
        height > 0 && (
          <rect
            key={`${name} ${x}`}
            x={x}
            y={SIDE - below - height}
            width={(1 - BAR_GAP) * step}
            height={height}
            fill={seriesColor(at)}
          />
        )
      );
    }),
  );
}

/** A single value between two gaps, which a line cannot show, is a dot by its round line cap. */
function linePaths({ values }: PlotSeries, top: number): { line: string; dots: string } {
  const isKnown = (index: number) => (values[index] ?? null) !== null;
  let [line, dots] = ["", ""];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const [x, y] = [(index + 0.5) / values.length, 1 - Number(value) / top];
    const point = [x, y].map((at) => Math.round(at * SIDE)).join(" ");
    if (isKnown(index - 1)) line += `L${point}`;
    else if (isKnown(index + 1)) line += `M${point}`;
    else dots += `M${point}h0`;
  }
  return { line, dots };
}

const Lines = ({ series, top }: DrawnSeries) =>
  series.map((one, index) => {
    const { line, dots } = linePaths(one, top);
    return (
      <g key={one.name} stroke={seriesColor(index)} className="fill-none" strokeLinecap="round">
        <path d={line} className="stroke-2" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
        <path d={dots} className="stroke-5" vectorEffect="non-scaling-stroke" />
      </g>
    );
  });

/** Stretched to its box, so it contains no text, and its strokes do not scale. */
function Drawing({ axis, ...props }: PlotProps & { axis: ValueAxis }) {
  const { title, description, unit = "", kind, series, labels } = props;
  const step = SIDE / labels.length;
  const Shapes = kind === "amounts" ? Bars : Lines;
  return (
    <svg
      role="img"
      aria-label={title}
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      <title>{title}</title>
      <desc>{description}</desc>
      {axis.ticks.map(({ at }) => (
        <path
          key={at}
          d={`M0 ${(1 - at) * SIDE}H${SIDE}`}
          className={clsx("stroke-1", at === 0 ? "stroke-input-line" : "stroke-line")}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <Shapes series={series} top={axis.top} step={step} />
      {labels.map((label, index) => {
        const x = index * step;
        const values = series.map(({ name, values }) =>
          `${name}: ${valueText(values[index], kind)} ${unit}`.trim(),
        );
        return (
          <rect key={x} x={x} width={step} height={SIDE} className="fill-transparent hover:fill-text/8">
            <title>{[label, ...values].join("\n")}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function ValueTable({ title, unit, kind, series, labels, labelName }: PlotProps) {
  return (
    <DataTable
      label={`${unit ? `${title}, ${unit}` : title}, table`}
      className="hidden max-h-72 overflow-y-auto rounded-control border border-line
        [:root:has([name=plots-as-tables]:checked)_&]:block"
      // By its place: an hour comes twice when clocks go back.
      rows={[...labels.keys()]}
      keyOf={String}
      columns={[
        { name: labelName, isRowHeader: true, render: (index) => labels[index] },
        ...series.map(({ name, values }) => ({
          name: unit ? `${name} (${unit})` : name,
          right: true,
          render: (index: number) => valueText(values[index], kind),
        })),
      ]}
    />
  );
}
