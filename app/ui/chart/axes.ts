import { scaleLinear } from "d3-scale";
import { formatAmount } from "@/app/ui/amount";
import { formatDuration, formatInstant } from "@/app/ui/format-time";

/** Amounts and counts, or durations in seconds. */
export type Measure = "amount" | "duration";

const SHORT_SECONDS_MAX = 60;

/** A dash for a missing value. Amounts are exact. */
export function valueText(value: string | null, measure: Measure): string {
  if (value === null) return "–";
  return measure === "amount" ? formatAmount(value) : durationText(Number(value));
}

/** `1 h 7 min`; below a minute with decimals: `0.25 s`. */
export function durationText(seconds: number): string {
  if (seconds === 0) return "0";
  return seconds < SHORT_SECONDS_MAX ? `${formatAmount(String(seconds))} s` : formatDuration(seconds);
}

export interface PlotSeries {
  name: string;
  /** One decimal string per instant, 0 or more; null leaves a gap in the line. */
  values: readonly (string | null)[];
}

/** More lines could not be distinguished by color. */
export const SERIES_MAX = 5;

export const seriesColor = (index: number) => `var(--plot-${index + 1})`;

/** Floats are for positions only; printed amounts come from the string. */
export const positionOf = (value: string) => Number(value);

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

const TICKS_MAX = 6;
/** Round intervals between ticks, in seconds. */
const STEPS = [60, 300, 600, 900, 1800, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY];

const dayAndMonth = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

export interface TimeTick {
  /** Index of its instant. */
  index: number;
  label: string;
}

/** Local time in the zone, as if it were UTC, in seconds since 1970. */
const wallSeconds = (at: string, zone: string) =>
  Date.parse(`${formatInstant(at, zone).replace(" ", "T")}Z`) / 1000;

/** Up to six labels: round times or days in the zone, otherwise evenly spaced. */
export function timeTicks(times: readonly string[], zone: string): TimeTick[] {
  const shown = times.map((at) => wallSeconds(at, zone));
  for (const step of STEPS) {
    const round = shown.flatMap((seconds, index) => (seconds % step === 0 ? [index] : []));
    if (round.length > 1 && round.length <= TICKS_MAX) {
      return round.map((index) => ({ index, label: timeLabel(shown[index]!, step) }));
    }
  }
  const stride = Math.max(1, Math.ceil(times.length / TICKS_MAX));
  const spacing = shown.length > stride ? shown[stride]! - shown[0]! : 0;
  return shown.flatMap((seconds, index) =>
    index % stride === 0 ? [{ index, label: timeLabel(seconds, spacing) }] : [],
  );
}

function timeLabel(wall: number, spacing: number): string {
  if (spacing >= DAY || wall % DAY === 0) return dayAndMonth.format(wall * 1000);
  return new Date(wall * 1000).toISOString().slice(11, 16);
}

export interface NamedInstant {
  at: string;
  label: string;
}

/** Labels for the table and the tooltips; dates only when every instant is midnight in the zone. */
export function nameInstants(times: readonly string[], zone: string): NamedInstant[] {
  const whole = times.map((at) => formatInstant(at, zone));
  const shownTo = whole.every((label) => label.endsWith("00:00:00")) ? "2026-01-31" : "2026-01-31 14:05";
  return times.map((at, index) => ({ at, label: whole[index]!.slice(0, shownTo.length) }));
}
