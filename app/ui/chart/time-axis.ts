import { formatInstant } from "@/app/ui/zone-time";

const TICKS_MAX = 6;
const HOUR = 3600;
const DAY = 24 * HOUR;
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
      return round.map((index) => ({ index, label: tickLabel(shown[index]!, step) }));
    }
  }
  const stride = Math.max(1, Math.ceil(times.length / TICKS_MAX));
  const spacing = shown.length > stride ? shown[stride]! - shown[0]! : 0;
  return shown.flatMap((seconds, index) =>
    index % stride === 0 ? [{ index, label: tickLabel(seconds, spacing) }] : [],
  );
}

function tickLabel(wall: number, spacing: number): string {
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
