import { createDatabase, type Database } from "@/db/client";
import { TooLateError } from "@/db/errand";
import { single } from "./process";
import { settings } from "./settings";

const POOL_MAX = 2;
/** What a check, a snapshot or an allocation has where no caller waits for it. */
export const LONG_WORK_SECONDS_MAX = 900;

type LongWork = { db: Database; isTimedOut: boolean; isStopped: boolean };
const running = () => single("longWork", () => new Set<LongWork>());

/**
 * Runs something for up to `secondsMax`, on a separate pool so that no request waits for a connection.
 * @throws TooLateError when that was not enough
 */
export async function onOwnPool<T>(secondsMax: number, run: (work: LongWork) => Promise<T>): Promise<T> {
  const { DATABASE_URL, DATABASE_POOLER, DATABASE_TIMEOUT_SECONDS } = settings();
  const db = createDatabase({
    url: DATABASE_URL!,
    poolMax: POOL_MAX,
    timeoutSeconds: DATABASE_TIMEOUT_SECONDS,
    pooler: DATABASE_POOLER,
    statementSecondsMax: secondsMax,
  });
  const work: LongWork = { db, isTimedOut: false, isStopped: false };
  running().add(work);
  const timer = setTimeout(() => {
    work.isTimedOut = true;
    void db.close();
  }, secondsMax * 1000);
  try {
    return await run(work);
  } catch (error) {
    throw work.isTimedOut ? new TooLateError(undefined, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
    running().delete(work);
    await db.close();
  }
}

/** Aborts the long work of this process. It is due again after the next start. */
export async function stopLongWork(): Promise<void> {
  await Promise.all(
    [...running()].map((work) => {
      work.isStopped = true;
      return work.db.close();
    }),
  );
}
