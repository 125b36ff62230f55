import { createDatabase, type Database } from "@/db/client";
import { TooLateError } from "@/db/errand";
import { closeDay, isDayToClose } from "@/server/books/chain";
import { database } from "@/server/kernel/database";
import { isStatementTimeout, postgresError } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { single } from "@/server/kernel/process";
import { settings } from "@/server/kernel/settings";
import { SnapshotUnavailableError } from "@/server/kernel/shards";
import { startWorkLoop } from "@/server/kernel/work-loop";
import {
  isCheckDue,
  type LedgerCheckOptions,
  type LedgerReport,
  runCheck,
  storeIncompleteCheck,
} from "@/server/ledger/run-check";

const POOL_MAX = 2;

export type LongWork = { db: Database; isTimedOut: boolean; isStopped: boolean };
const running = () => single("longWork", () => new Set<LongWork>());

/** Runs something for up to `secondsMax`, on a separate pool so that no request waits for a connection. */
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

/** Uses a pool of its own. Returns null when another check is running, or none is due. */
export async function selfCheck(options: LedgerCheckOptions): Promise<LedgerReport | null> {
  const startedAt = new Date();
  return await onOwnPool(options.secondsMax, async (work) => {
    try {
      const report = await runCheck(work.db, { reach: "incremental", slices: roundSlices(), ...options });
      if (report && !report.ok)
        log().error({ findings: report.findings.length }, "the ledger does not balance, see /operations");
      return report;
    } catch (error) {
      const reason = failureReason(error, work.isTimedOut, options);
      if (!work.isStopped) await storeIncompleteCheck(database(), options.startedBy, startedAt, reason);
      throw error;
    }
  });
}

/** Never throws, since a failed check must not stop anything else. */
export async function selfCheckWhenDue(
  options: Pick<LedgerCheckOptions, "startedBy" | "secondsMax">,
): Promise<void> {
  const hours = settings().SELF_CHECK_EVERY_HOURS;
  if (hours === 0) return;
  try {
    if (await isCheckDue(database(), hours)) await selfCheck({ ...options, dueAfterHours: hours });
  } catch (error) {
    log().warn({ error }, "ledger check failed, it will be retried");
  }
}

/** The scheduled checks of a week together read every old transfer, each a slice of them. */
const ROUND_HOURS = 7 * 24;

/** How many scheduled checks a round has. */
export const roundSlices = () =>
  Math.max(1, Math.floor(ROUND_HOURS / Math.max(1, settings().SELF_CHECK_EVERY_HOURS)));

function failureReason(error: unknown, isTimedOut: boolean, { secondsMax }: LedgerCheckOptions): string {
  if (error instanceof SnapshotUnavailableError) return error.message;
  if (isTimedOut || isStatementTimeout(error))
    return (
      `The check took longer than ${secondsMax} s. ` +
      "Run `npm run -s ops -- verify-ledger`, which allows 15 minutes per statement."
    );
  const refusal = postgresError(error);
  return refusal
    ? `The check failed: the database returned SQLSTATE ${refusal.code}.`
    : "The check failed: the database did not respond.";
}

/** Days closed per call. A service that was stopped for longer catches up over several calls. */
const DAYS_MAX = 100;

/** Writes the links of days that are over. Never throws, since a missing link must not stop anything else. */
export async function closeDaysWhenDue(secondsMax: number): Promise<void> {
  try {
    if (!(await isDayToClose(database()))) return;
    const endsAt = performance.now() + secondsMax * 1000;
    await onOwnPool(secondsMax, async ({ db }) => {
      for (let closed = 0; closed < DAYS_MAX && performance.now() < endsAt; closed++)
        if ((await closeDay(db)) === null) return;
    });
  } catch (error) {
    log().warn({ error }, "closing a day of the books failed, it will be retried");
  }
}

const LOOK_EVERY_MS = 60_000;
/** Delay before the first check, so that the service can start up first. */
const FIRST_LOOK_MS = 5_000;
const SECONDS_MAX = 900;

/** Looks every minute for a day to close and for a self-check that is due. `stop` aborts what is running. */
export function startSelfCheckTimer(): { stop(): Promise<void> } {
  const loop = startWorkLoop({
    firstMs: FIRST_LOOK_MS,
    everyMs: LOOK_EVERY_MS,
    failure: "a self-check could not be looked for",
    async work(isStopping) {
      await closeDaysWhenDue(SECONDS_MAX);
      if (!isStopping()) await selfCheckWhenDue({ startedBy: "scheduler", secondsMax: SECONDS_MAX });
    },
  });
  return {
    async stop() {
      await Promise.all([loop.stop(), stopLongWork()]);
    },
  };
}
