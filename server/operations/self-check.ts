import { createDatabase, type Database } from "@/db/client";
import { database } from "../kernel/database";
import { postgresError } from "../kernel/database-errors";
import { log } from "../kernel/log";
import type { Settings } from "../kernel/settings";
import { settings } from "../kernel/settings";
import { SnapshotUnavailableError } from "../kernel/shards/snapshot-barrier";
import { single } from "../kernel/single";
import type { LedgerReport } from "../ledger/check-ledger";
import { type CheckOptions, isCheckDue, runCheck, storeIncompleteCheck } from "../ledger/run-check";

const POOL_MAX = 2;

interface Running {
  db: Database;
  isStopped: boolean;
}
const running = () => single("selfChecks", () => new Set<Running>());

/**
 * Checks the ledger within `secondsMax`, on a separate pool so that no request waits for a connection.
 * @returns null when another check is running, or none is due
 */
export async function selfCheck(options: CheckOptions): Promise<LedgerReport | null> {
  const startedAt = new Date();
  const check: Running = { db: openPool(options.secondsMax), isStopped: false };
  running().add(check);
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    void check.db.close();
  }, options.secondsMax * 1000);
  try {
    const report = await runCheck(check.db, { ...reachOf(settings()), ...options });
    if (report && !report.ok)
      log().error({ findings: report.findings.length }, "the ledger does not balance, see /operations");
    return report;
  } catch (error) {
    if (!check.isStopped)
      await storeIncompleteCheck(
        database(),
        options.startedBy,
        startedAt,
        failureReason(error, isTimedOut, options),
      );
    throw error;
  } finally {
    clearTimeout(timer);
    running().delete(check);
    await check.db.close();
  }
}

/** Runs the scheduled check when it is due. Never throws, since a failed check must not stop anything else. */
export async function selfCheckWhenDue(
  options: Pick<CheckOptions, "startedBy" | "secondsMax">,
): Promise<void> {
  const hours = settings().SELF_CHECK_EVERY_HOURS;
  if (hours === 0) return;
  try {
    if (await isCheckDue(database(), hours)) await selfCheck({ ...options, dueAfterHours: hours });
  } catch (error) {
    log().warn({ error }, "ledger check failed, it will be retried");
  }
}

/** The reach of a scheduled check. An incremental round has one slice per check. */
export function reachOf(given: Pick<Settings, "SELF_CHECK_EVERY_HOURS" | "SELF_CHECK_ROUND_DAYS">) {
  const { SELF_CHECK_EVERY_HOURS: hours, SELF_CHECK_ROUND_DAYS: days } = given;
  const slices = Math.max(1, Math.floor((days * 24) / Math.max(1, hours)));
  return { slices, reach: days === 0 ? ("whole" as const) : ("incremental" as const) };
}

/** Aborts the checks of this process. They are due again after the next start. */
export async function stopSelfChecks(): Promise<void> {
  await Promise.all(
    [...running()].map((check) => {
      check.isStopped = true;
      return check.db.close();
    }),
  );
}

function openPool(statementSecondsMax: number): Database {
  const { DATABASE_URL, DATABASE_POOLER, DATABASE_TIMEOUT_SECONDS } = settings();
  return createDatabase({
    url: DATABASE_URL!,
    poolMax: POOL_MAX,
    timeoutSeconds: DATABASE_TIMEOUT_SECONDS,
    pooler: DATABASE_POOLER,
    statementSecondsMax,
  });
}

const STATEMENT_TOO_LONG = "57014";

function failureReason(error: unknown, isTimedOut: boolean, { secondsMax }: CheckOptions): string {
  if (error instanceof SnapshotUnavailableError) return error.message;
  const refusal = postgresError(error);
  if (isTimedOut || refusal?.code === STATEMENT_TOO_LONG)
    return `The check took longer than ${secondsMax} s. Run \`npm run -s ops -- verify-ledger\`, which allows 15 minutes per statement.`;
  if (refusal) return `The check failed: the database returned SQLSTATE ${refusal.code}.`;
  return "The check failed: the database did not respond.";
}
