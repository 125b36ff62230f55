import { formatInstant } from "@/app/ui/format-time";

const MIDNIGHT = "00:00:00";

/**
 * For the name of a file: `2026-03-01-to-2026-03-31-UTC`, the last day included.
 * @param to not included
 * @param zone names the days, unless the period is of whole days in UTC, as months of statements are
 */
export function periodName(from: string, to: string, zone: string): string {
  const isWhole = [from, to].every((at) => formatInstant(at, "UTC").endsWith(MIDNIGHT));
  const named = isWhole ? "UTC" : zone;
  const timeOf = (at: string | number) => {
    const [day, time] = formatInstant(at, named).split(" ");
    return time === MIDNIGHT ? day : `${day}T${time!.slice(0, 5).replace(":", ".")}`;
  };
  const isDay = formatInstant(to, named).endsWith(MIDNIGHT);
  const last = isDay ? formatInstant(Date.parse(to) - 1, named).slice(0, 10) : timeOf(to);
  return `${timeOf(from)}-to-${last}-${named.replaceAll(/[^A-Za-z0-9_+-]/g, "-")}`;
}
