import { formatDuration } from "@/terms/output-text";

/** Visitors choose the zones, and a formatter uses about 25 kB on the server. */
const FORMATTERS_MAX = 50;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  // Time zone names are case-insensitive.
  const key = zone.toLowerCase();
  let formatter = formatters.get(key);
  if (!formatter) {
    // Swedish dates and times are in this form: `2026-01-31 14:05:09`.
    formatter = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    const [oldest] = formatters.keys();
    if (oldest !== undefined && formatters.size >= FORMATTERS_MAX) formatters.delete(oldest);
    formatters.set(key, formatter);
  }
  return formatter;
}

/** `2026-01-31 14:05:09`, local time in the zone. */
export function formatInstant(at: string | number, zone: string): string {
  return formatterOf(zone).format(typeof at === "number" ? at : Date.parse(at));
}

/** `2026-01-31`, local date in the zone. */
export function formatDay(at: string | number, zone: string): string {
  return formatInstant(at, zone).slice(0, 10);
}

/** The longest clock change: some zones skipped a whole day. */
const CLOCK_CHANGE_MS_MAX = 26 * 3_600_000;

/** The instant of a local time in the zone, `2026-01-31T14:05:09`, in ms. */
export function instantAt(local: string, zone: string): number {
  const wantedMs = Date.parse(`${local}Z`);
  let guessMs = wantedMs;
  // Twice: the first guess may be on the other side of a daylight saving change.
  for (let round = 0; round < 2; round++) {
    const shownMs = Date.parse(`${formatInstant(guessMs, zone).replace(" ", "T")}Z`);
    guessMs += wantedMs - shownMs;
  }
  return guessMs;
}

const DAY_MS = 24 * 3_600_000;

/**
 * The first instant of a calendar day in the zone, in ms: midnight, unless the clocks change then.
 * @param day `2026-01-31` @param later the number of days after it
 */
export function startOfDay(day: string, later: number, zone: string): number {
  const midnight = new Date(Date.parse(day) + later * DAY_MS).toISOString();
  const wanted = midnight.slice(0, 10);
  const guessMs = instantAt(midnight.slice(0, -1), zone);
  if (formatDay(guessMs, zone) === wanted && formatDay(guessMs - 1, zone) < wanted) return guessMs;
  let [before, atOrAfter] = [guessMs - CLOCK_CHANGE_MS_MAX, guessMs + CLOCK_CHANGE_MS_MAX];
  while (atOrAfter - before > 1) {
    const middle = Math.floor((before + atOrAfter) / 2);
    if (formatDay(middle, zone) < wanted) before = middle;
    else atOrAfter = middle;
  }
  return atOrAfter;
}

export function formatRelative(atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1000);
  if (Math.abs(seconds) < 2) return "just now";
  return seconds > 0 ? `in ${formatDuration(seconds)}` : `${formatDuration(-seconds)} ago`;
}
