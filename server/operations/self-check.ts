import { findChangedAllocations } from "@/server/allocations/changed-allocations";
import { database } from "@/server/kernel/database";
import { isStatementTimeout, postgresError } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { LONG_WORK_SECONDS_MAX, onOwnPool, stopLongWork } from "@/server/kernel/long-work";
import { settings } from "@/server/kernel/settings";
import { SnapshotUnavailableError } from "@/server/kernel/shards";
import { startWorkLoop } from "@/server/kernel/work-loop";
import {
  type Checks,
  isCheckDue,
  type LedgerCheckOptions,
  type LedgerReport,
  runCheck,
  storeIncompleteCheck,
} from "@/server/ledger/run-check";
import { findChangedSnapshots } from "@/server/snapshots/snapshot-text";
import { DomainError } from "@/terms/problems";

/** What is made of the ledger once, and never changes. */
export const CHECKS: Checks = {
  snapshots_unchanged: findChangedSnapshots,
  allocations_unchanged: findChangedAllocations,
};

/** Uses a pool of its own. Returns null when another check is running, or none is due. */
export async function selfCheck(options: Omit<LedgerCheckOptions, "checks">): Promise<LedgerReport | null> {
  const startedAt = new Date();
  return await onOwnPool(options.secondsMax, async (work) => {
    try {
      const report = await runCheck(work.db, {
        reach: "incremental",
        slices: roundSlices(),
        checks: CHECKS,
        ...options,
      });
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

export async function selfCheckIsDue(): Promise<boolean> {
  const hours = settings().SELF_CHECK_EVERY_HOURS;
  return hours > 0 && (await isCheckDue(database(), hours));
}

/** Never throws, since a failed check must not stop anything else. */
export async function selfCheckWhenDue(startedBy: string, secondsMax: number): Promise<void> {
  try {
    const dueAfterHours = settings().SELF_CHECK_EVERY_HOURS;
    if (await selfCheckIsDue()) await selfCheck({ startedBy, secondsMax, dueAfterHours });
  } catch (error) {
    log().warn({ error }, "ledger check failed, it will be retried");
  }
}

/** The scheduled checks of a week together read every old transfer, each a slice of them. */
const ROUND_HOURS = 7 * 24;

/** How many scheduled checks a round has. */
export const roundSlices = () =>
  Math.max(1, Math.floor(ROUND_HOURS / Math.max(1, settings().SELF_CHECK_EVERY_HOURS)));

function failureReason(
  error: unknown,
  isTimedOut: boolean,
  { secondsMax }: Pick<LedgerCheckOptions, "secondsMax">,
): string {
  if (error instanceof SnapshotUnavailableError || error instanceof DomainError) return error.message;
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

const LOOK_EVERY_MS = 60_000;
/** Delay before the first check, so that the service can start up first. */
const FIRST_LOOK_MS = 5_000;

/** Looks every minute for a self-check that is due. `stop` aborts what is running. */
export function startSelfCheckTimer(): { stop(): Promise<void> } {
  const loop = startWorkLoop({
    firstMs: FIRST_LOOK_MS,
    everyMs: LOOK_EVERY_MS,
    failure: "a self-check could not be looked for",
    work: () => selfCheckWhenDue("scheduler", LONG_WORK_SECONDS_MAX),
  });
  return {
    async stop() {
      await Promise.all([loop.stop(), stopLongWork()]);
    },
  };
}
