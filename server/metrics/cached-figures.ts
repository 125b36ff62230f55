import { database } from "../kernel/database";
import { log } from "../kernel/log";
import { single } from "../kernel/single";
import { type Figures, readFigures } from "./read-figures";

/** Limits database queries, no matter how often the metrics are scraped. */
const KEPT_MS = 5000;

interface Kept {
  until: number;
  read: Promise<Figures | null>;
}

/** Database metrics, at most five seconds old. Null when they could not be read. */
export function cachedFigures(): Promise<Figures | null> {
  const holder = single("cachedFigures", (): { last?: Kept } => ({}));
  if (holder.last && performance.now() < holder.last.until) return holder.last.read;
  const read = readFigures(database()).catch((error: unknown) => {
    log().warn({ error }, "could not read the database metrics");
    return null;
  });
  holder.last = { until: performance.now() + KEPT_MS, read };
  return read;
}
