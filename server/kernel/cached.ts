import { single } from "./single";

interface Kept {
  until: number;
  read: Promise<unknown>;
}

/** Entries kept per group, the newest ones. */
const ENTRIES_MAX = 500;

/**
 * Reads again only when the last read is older than `seconds`. Concurrent callers share one read, and a failed one is not
 * kept. Not for speed: it limits what scrapes, open pages and anonymous visitors can make the database do.
 */
export function cached<T>(group: string, key: string, seconds: number, read: () => Promise<T>): Promise<T> {
  const entries = single(`cached ${group}`, () => new Map<string, Kept>());
  const last = entries.get(key);
  if (last && performance.now() < last.until) return last.read as Promise<T>;
  const entry = { until: performance.now() + seconds * 1000, read: read() };
  entries.delete(key);
  entries.set(key, entry);
  for (const [oldest] of entries) {
    if (entries.size <= ENTRIES_MAX) break;
    entries.delete(oldest);
  }
  entry.read.catch(() => {
    if (entries.get(key) === entry) entries.delete(key);
  });
  return entry.read;
}
