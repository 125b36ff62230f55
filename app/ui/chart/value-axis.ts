import { scaleLinear } from "d3-scale";
import { type PlotSeries, positionOf } from "./plot-series";
import { durationText, type Measure } from "./value-text";

const TICKS_WANTED = 4;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Round intervals between duration ticks. */
const DURATION_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];
const DURATION_TICKS_MAX = 5;
/** Above this, compact notation is unreadable: `100,000,000T`. */
const SCIENTIFIC_FROM = 1e15;

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });
const scientific = new Intl.NumberFormat("en-US", { notation: "scientific", maximumSignificantDigits: 4 });

export interface ValueTick {
  label: string;
  /** Fraction of the axis height, 0 at the bottom. */
  at: number;
}

export interface ValueAxis {
  /** A round number above every value. */
  top: number;
  ticks: ValueTick[];
}

/** Starts at 0. Ticks are whole when every value is. */
export function valueAxis(
  series: readonly PlotSeries[],
  isStacked: boolean,
  measure: Measure = "amount",
): ValueAxis {
  const most = mostOf(series, isStacked);
  if (measure === "duration" && most > DURATION_STEPS[0]!) return durationAxis(most);
  const labelOf = measure === "duration" ? durationText : tickLabel;
  const given = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const isWhole = given.every((value) => !value.includes("."));
  const scale = scaleLinear()
    .domain([0, most || 1])
    .nice(TICKS_WANTED);
  const top = scale.domain()[1]!;
  const ticks = scale
    .ticks(TICKS_WANTED)
    .filter((tick) => !isWhole || Number.isInteger(tick))
    .map((tick) => ({ label: labelOf(tick), at: tick / top }));
  return { top, ticks };
}

function durationAxis(most: number): ValueAxis {
  const step =
    DURATION_STEPS.find((seconds) => most / seconds <= DURATION_TICKS_MAX) ??
    Math.ceil(most / DURATION_TICKS_MAX / DAY) * DAY;
  const count = Math.ceil(most / step);
  const ticks = Array.from({ length: count + 1 }, (_, tick) => ({
    label: durationText(tick * step),
    at: tick / count,
  }));
  return { top: count * step, ticks };
}

function mostOf(series: readonly PlotSeries[], isStacked: boolean): number {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  let most = 0;
  for (let index = 0; index < length; index++) {
    const here = series.map(({ values }) => positionOf(values[index] ?? "0"));
    const height = isStacked ? here.reduce((sum, value) => sum + value, 0) : Math.max(...here);
    most = Math.max(most, height);
  }
  return most;
}

function tickLabel(tick: number): string {
  return (tick >= SCIENTIFIC_FROM ? scientific : compact).format(tick);
}
