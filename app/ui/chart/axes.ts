import { scaleLinear, scaleUtc } from "d3-scale";
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

export const seriesColor = (index: number) => `var(--plot-${index + 1})`;

/** Floats are for positions only; printed amounts come from the string. */
export const positionOf = (value: string) => Number(value);

const TICKS_WANTED = 4;
const TIME_TICKS_WANTED = 6;
const DAY_MS = 86_400_000;
/** Ticks of `scaleUtc` are weeks and months above this, which do not count from 0. */
const CALENDAR_SECONDS_MAX = (14 * DAY_MS) / 1000;
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

/** Starts at 0. Ticks are whole when every value is, and at round durations from a second up. */
export function valueAxis(
  series: readonly PlotSeries[],
  isStacked: boolean,
  measure: Measure = "amount",
): ValueAxis {
  const most = mostOf(series, isStacked);
  if (measure === "duration" && most > 1) {
    const isLong = most > CALENDAR_SECONDS_MAX;
    const unitSeconds = isLong ? DAY_MS / 1000 : 1 / 1000;
    const domain = [0, most / unitSeconds];
    const scale = (isLong ? scaleLinear(domain, [0, 1]) : scaleUtc(domain, [0, 1])).nice(TICKS_WANTED);
    const ticks = scale
      .ticks(TICKS_WANTED)
      .map((at) => ({ label: durationText(+at * unitSeconds), at: scale(at) }));
    return { top: +scale.domain()[1]! * unitSeconds, ticks };
  }
  const labelOf = measure === "duration" ? durationText : tickLabel;
  const given = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const isWhole = given.every((value) => !value.includes("."));
  const scale = scaleLinear([0, most || 1], [0, 1]).nice(TICKS_WANTED);
  const ticks = scale
    .ticks(TICKS_WANTED)
    .filter((tick) => !isWhole || Number.isInteger(tick))
    .map((tick) => ({ label: labelOf(tick), at: scale(tick) }));
  return { top: scale.domain()[1]!, ticks };
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

const dayAndMonth = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

export interface TimeTick {
  /** Index of its instant. */
  index: number;
  label: string;
}

/** Local time in the zone, as if it were UTC, in milliseconds since 1970. */
const wallMs = (at: string, zone: string) => Date.parse(`${formatInstant(at, zone).replace(" ", "T")}Z`);

/** About six labels, at round times or days in the zone, or the first instants after them. */
export function timeTicks(times: readonly string[], zone: string): TimeTick[] {
  const shown = times.map((at) => wallMs(at, zone));
  const scale = scaleUtc([shown[0] ?? 0, shown.at(-1) ?? 0], [0, 1]);
  return scale.ticks(TIME_TICKS_WANTED).flatMap((tick) => {
    const index = shown.findIndex((at) => at >= +tick);
    if (index === -1) return [];
    const at = shown[index]!;
    const isDay = +tick % DAY_MS === 0;
    return [{ index, label: isDay ? dayAndMonth.format(at) : new Date(at).toISOString().slice(11, 16) }];
  });
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
