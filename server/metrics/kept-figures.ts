import { database } from "../kernel/database";
import { log } from "../kernel/log";
import { single } from "../kernel/single";
import { type Figures, readFigures } from "./read-figures";

/** However often it is scraped, the database is asked no more often than this. */
const KEPT_MS = 5000;

interface Kept {
  until: number;
  read: Promise<Figures | null>;
}

/** The database's figures, at most five seconds old; null when it did not give them. */
export function keptFigures(): Promise<Figures | null> {
  const holder = single("keptFigures", (): { last?: Kept } => ({}));
  if (holder.last && performance.now() < holder.last.until) return holder.last.read;
  const read = readFigures(database()).catch((error: unknown) => {
    log().warn({ error }, "the figures for /metrics could not be read");
    return null;
  });
  holder.last = { until: performance.now() + KEPT_MS, read };
  return read;
}
