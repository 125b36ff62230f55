import { formatDay, startOfDay } from "../../../ui/zone-time";

export const DAY_SPANS = [7, 30, 90] as const;

/** The starts of the last `span` days in a zone, today included, and the end of today. */
export function dayStarts(span: number, nowMs: number, zone: string): string[] {
  const [year = 0, month = 0, day = 0] = formatDay(nowMs, zone).split("-").map(Number);
  return Array.from({ length: span + 1 }, (_, i) =>
    new Date(startOfDay(year, month - 1, day - span + 1 + i, zone)).toISOString(),
  );
}
