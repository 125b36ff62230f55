import { scaleLinear } from "d3-scale";
import { type PlotSeries, positionOf } from "./plot-series";
import { durationText, type Measure } from "./value-text";

const TICKS_WANTED = 4;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Distances between ticks of spans of time: tens of seconds, minutes and hours as clocks have them. */
const DURATION_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];
const DURATION_TICKS_MAX = 5;
/** From here on a compact number would be a row of zeros: `100,000,000T`. */
const SCIENTIFIC_FROM = 1e15;

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });
const scientific = new Intl.NumberFormat("en-US", { notation: "scientific", maximumSignificantDigits: 4 });

export interface ValueTick {
  label: string;
  /** Share of the axis' height, from 0 at its foot to 1. */
  at: number;
}

export interface ValueAxis {
  /** The value at the axis' head: a round number above every value. */
  top: number;
  ticks: ValueTick[];
}

/** A value axis from 0, with few round ticks; whole ones when every value is whole. */
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
