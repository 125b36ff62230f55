import { SnapshotUnavailableError } from "@/server/kernel/shards";
import { database } from "../kernel/database";
import { isStatementTimeout, postgresError } from "../kernel/database-errors";
import { log } from "../kernel/log";
import { type Settings, settings } from "../kernel/settings";
import type { LedgerReport } from "../ledger/check-ledger";
import { type CheckOptions, isCheckDue, runCheck, storeIncompleteCheck } from "../ledger/run-check";
import { onOwnPool } from "./own-pool";

/**
 * Checks the ledger within `secondsMax`, on a separate pool.
 * @returns null when another check is running, or none is due
 */
export async function selfCheck(options: CheckOptions): Promise<LedgerReport | null> {
  const startedAt = new Date();
  return await onOwnPool(options.secondsMax, async (work) => {
    try {
      const report = await runCheck(work.db, { ...reachOf(settings()), ...options });
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

function failureReason(error: unknown, isTimedOut: boolean, { secondsMax }: CheckOptions): string {
  if (error instanceof SnapshotUnavailableError) return error.message;
  if (isTimedOut || isStatementTimeout(error))
    return `The check took longer than ${secondsMax} s. Run \`npm run -s ops -- verify-ledger\`, which allows 15 minutes per statement.`;
  const refusal = postgresError(error);
  return refusal
    ? `The check failed: the database returned SQLSTATE ${refusal.code}.`
    : "The check failed: the database did not respond.";
}
