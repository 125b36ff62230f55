const DAY_MS = 86_400_000;

/** The UTC day that was `count` days ago. */
export const daysAgo = (count: number): string =>
  new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

/** The first and the last millisecond of a UTC day, and noon. */
export const firstOf = (day: string) => `${day}T00:00:00.000Z`;
export const noonOf = (day: string) => `${day}T12:00:00.000Z`;
export const lastOf = (day: string) => `${day}T23:59:59.999Z`;
