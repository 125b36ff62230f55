import { formatAmount } from "@/app/ui/amount";
import { formatDuration } from "@/app/ui/duration";

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
