import { single } from "./process";

/** `until` is undefined while it is being read. */
type Kept = { read: Promise<unknown>; until?: number };

/** Entries kept per group, the newest ones, without those that are being read. */
const ENTRIES_MAX = 500;

/**
 * Callers share one read, however long it takes, and then its result for some seconds. A failed read is not
 * kept. It limits what scrapes, open pages and visitors make the database do.
 */
export function cached<T>(group: string, key: string, seconds: number, read: () => Promise<T>): Promise<T> {
  const entries = single(`cached ${group}`, () => new Map<string, Kept>());
  const last = entries.get(key);
  if (last && (last.until === undefined || performance.now() < last.until)) return last.read as Promise<T>;
  const reading = read();
  const entry: Kept = { read: reading };
  entries.delete(key);
  entries.set(key, entry);
  for (const [oldest, { until }] of entries) {
    if (entries.size <= ENTRIES_MAX) break;
    if (until !== undefined) entries.delete(oldest);
  }
  reading.then(
    () => {
      entry.until = performance.now() + seconds * 1000;
    },
    () => void entries.delete(key),
  );
  return reading;
}
