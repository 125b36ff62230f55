/** A calendar month such as `2026-10`. Not before the year 1000, because `Date.UTC` reads years below 100 as 19xx. */
export const MONTH_PATTERN = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;

/** The month's first instant and the first instant after it, in UTC. */
export function boundsOfMonth(month: string): { from: string; to: string } {
  const [year, number] = month.split("-").map(Number) as [number, number];
  const start = (monthIndex: number) => new Date(Date.UTC(year, monthIndex)).toISOString();
  return { from: start(number - 1), to: start(number) };
}

/** The UTC month of an RFC 3339 time in UTC. */
export const monthOf = (instant: string): string => instant.slice(0, 7);

/** The months from `last` back to `first`, both included, at most `monthsMax`. */
export function monthsBackTo(first: string, last: string, monthsMax: number): string[] {
  const months: string[] = [];
  let at = last;
  while (at >= first && months.length < monthsMax) {
    months.push(at);
    at = monthOf(new Date(Date.parse(boundsOfMonth(at).from) - 1).toISOString());
  }
  return months;
}

/** `October 2026`. */
export function nameOfMonth(month: string): string {
  return new Date(boundsOfMonth(month).from).toLocaleDateString("en-GB", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}
