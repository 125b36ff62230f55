import { formatDay, formatInstant, startOfDay } from "@/app/ui/format-time";
import { MONTH_PATTERN, nameOfMonth } from "@/server/kernel/values/batch-terms";

/** A period in words: a month, days, or instants. `from` is inclusive, `to` is exclusive; either may be open. */
export function describeRange(from: Date | null, to: Date | null, zone: string): string {
  if (from && to && startsDay(from, zone) && startsDay(to, zone)) {
    const month = monthOfRange(from, to, zone);
    if (month) return nameOfMonth(month);
    const first = formatDay(from.getTime(), zone);
    const last = formatDay(to.getTime() - 1, zone);
    return first === last ? first : `${first} to ${last}`;
  }
  const bounds = [
    from && `from ${formatInstant(from.getTime(), zone)}`,
    to && `before ${formatInstant(to.getTime(), zone)}`,
  ];
  return bounds.filter(Boolean).join(" ");
}

const startsDay = (at: Date, zone: string) => formatInstant(at.getTime(), zone).endsWith("00:00:00");

function monthOfRange(from: Date, to: Date, zone: string): string | null {
  const month = formatDay(from.getTime(), zone).slice(0, 7);
  if (!MONTH_PATTERN.test(month)) return null;
  const whole = rangeOfMonth(month, zone);
  return whole.from.getTime() === from.getTime() && whole.to.getTime() === to.getTime() ? month : null;
}

/** A calendar month such as `2026-10` in the zone. */
export function rangeOfMonth(month: string, zone: string): { from: Date; to: Date } {
  const [year, number] = month.split("-").map(Number) as [number, number];
  const start = (monthIndex: number) => new Date(startOfDay(year, monthIndex, 1, zone));
  return { from: start(number - 1), to: start(number) };
}
