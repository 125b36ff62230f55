import { formatAmount } from "../amount";
import { formatDuration } from "../duration";

/** What a plot's values are: amounts and counts, or spans of time in seconds. */
export type Measure = "amount" | "duration";

const SHORT_SECONDS_MAX = 60;

/** A value as the table and the hover say it, or a dash where nothing is known. Amounts are exact. */
export function valueText(value: string | null, measure: Measure): string {
  if (value === null) return "–";
  return measure === "amount" ? formatAmount(value) : durationText(Number(value));
}

/** A span of seconds: `1 h 7 min`, and below a minute with what there is after the point: `0.25 s`. */
export function durationText(seconds: number): string {
  if (seconds === 0) return "0";
  return seconds < SHORT_SECONDS_MAX ? `${formatAmount(String(seconds))} s` : formatDuration(seconds);
}
