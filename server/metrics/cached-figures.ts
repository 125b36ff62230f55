import { cached } from "../kernel/cached";
import { database } from "../kernel/database";
import { log } from "../kernel/log";
import { type Figures, readFigures } from "./read-figures";

/** Limits database queries, no matter how often the metrics are scraped. */
const KEPT_SECONDS = 5;

/** Database metrics, at most five seconds old. Null when they could not be read. */
export const cachedFigures = (): Promise<Figures | null> =>
  cached("figures", "", KEPT_SECONDS, () =>
    readFigures(database()).catch((error: unknown) => {
      log().warn({ error }, "could not read the database metrics");
      return null;
    }),
  );
