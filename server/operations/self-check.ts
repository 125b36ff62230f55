import { closeDay, isDayToClose } from "@/server/books/chain";
import type { ServiceContext } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { isStatementTimeout, postgresError } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { single } from "@/server/kernel/process";
import { type Settings, settings } from "@/server/kernel/settings";
import { SnapshotUnavailableError } from "@/server/kernel/shards";
import type { RequestContext } from "@/server/kernel/trpc-context";
import type { LedgerFinding, LedgerReport } from "@/server/ledger/check-ledger";
import {
  CHECK_COMPLETED,
  CHECK_LOCK,
  type CheckOptions,
  isCheckDue,
  runCheck,
  storeIncompleteCheck,
} from "@/server/ledger/run-check";
import { onOwnPool, stopLongWork } from "./own-pool";

/** Runs `work`, which must not throw, after `firstMs` and then every `everyMs`, unless it is still running. `stop` waits for it. */
export function startTimer(
  firstMs: number,
  everyMs: number,
  work: () => Promise<void>,
): { stop(): Promise<void> } {
  let current: Promise<void> | undefined;
  const run = () => {
    current ??= work().finally(() => {
      current = undefined;
    });
  };
  const first = setTimeout(run, firstMs);
  const timer = setInterval(run, everyMs);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      await current;
    },
  };
}

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

export interface LastCheck {
  startedBy: string;
  /** For an incremental check, batches and transfers count only those that it read. */
  reach: LedgerReport["reach"];
  startedAt: string;
  finishedAt: string;
  seconds: number;
  isOk: boolean;
  /** Whether the check completed. If not, its only finding says why. */
  isWhole: boolean;
  batches: number;
  transfers: number;
  accounts: number;
  findings: LedgerFinding[];
}

export interface SelfCheckState {
  last: LastCheck | null;
  /** Time of the last check without findings, if that is not `last`. */
  lastGoodAt: string | null;
  isRunning: boolean;
  /** Progress of the round over old data. Null before the first full check without findings. */
  round: { slices: number; slicesDone: number; finishedAt: string } | null;
  /** 0 means only on request. */
  everyHours: number;
}

/** The result of the last ledger self-check, and whether one is running now. */
export async function readSelfCheck({ db: { sql } }: ServiceContext): Promise<SelfCheckState> {
  const rfc3339 = (column: "started_at" | "finished_at" | "round_finished_at") =>
    sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const [[last], [round], [other]] = await Promise.all([
    sql<Omit<LastCheck, "isWhole">[]>`
      select started_by as "startedBy", reach, ${rfc3339("started_at")} as "startedAt", ${rfc3339("finished_at")} as "finishedAt",
        round(extract(epoch from finished_at - started_at), 1)::float8 as seconds, is_ok as "isOk",
        batches::float8 as batches, transfers::float8 as transfers, accounts::float8 as accounts, findings
      from ledger_checks order by finished_at desc limit 1`,
    sql<NonNullable<SelfCheckState["round"]>[]>`
      select slices, slices_done as "slicesDone", ${rfc3339("round_finished_at")} as "finishedAt" from ledger_checkpoint`,
    sql<{ lastGoodAt: string | null; isRunning: boolean }[]>`
      select (select ${rfc3339("finished_at")} from ledger_checks where is_ok order by finished_at desc limit 1) as "lastGoodAt",
        exists (select 1 from pg_locks
          where locktype = 'advisory' and classid = ${CHECK_LOCK.space}::int::oid and objid = ${CHECK_LOCK.key}::int::oid
            and objsubid = 2 and granted
            and database = (select oid from pg_database where datname = current_database())) as "isRunning"`,
  ]);
  return {
    last: last ? { ...last, isWhole: last.findings.every(({ rule }) => rule !== CHECK_COMPLETED) } : null,
    lastGoodAt: other!.lastGoodAt,
    isRunning: other!.isRunning,
    round: round ?? null,
    everyHours: settings().SELF_CHECK_EVERY_HOURS,
  };
}

export const SECONDS_MAX = 900;

export interface CheckNowReply {
  /** Another check is already running, so none was started. */
  isBusy: boolean;
  /** When the last check before this one finished. The result of this one is the first that finished at another time. */
  lastFinishedAt: string | null;
}

/** Starts a check of the whole ledger, with an audit entry next to its result, and does not wait for it. */
export async function checkNow(ctx: ServiceContext & Pick<RequestContext, "later">): Promise<CheckNowReply> {
  const current = single("check now", () => ({ isRunning: false }));
  const { isRunning, last } = await readSelfCheck(ctx);
  const isBusy = isRunning || current.isRunning;
  if (!isBusy) {
    current.isRunning = true;
    const { actor: startedBy, requestId } = ctx;
    const later = ctx.later ?? ((work) => void work());
    later(async () => {
      try {
        await selfCheck({ reach: "whole", startedBy, secondsMax: SECONDS_MAX, requestId });
      } catch (error) {
        // It is stored and shown as a check that did not finish.
        log().debug({ error }, "ledger check started from the console failed");
      } finally {
        current.isRunning = false;
      }
    });
  }
  return { isBusy, lastFinishedAt: last?.finishedAt ?? null };
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

/** Checks every minute whether a day of the books must be closed or a ledger self-check is due. `stop` aborts what is running. */
export function startSelfCheckTimer(): { stop(): Promise<void> } {
  let isStopping = false;
  const timer = startTimer(FIRST_LOOK_MS, LOOK_EVERY_MS, async () => {
    await closeDaysWhenDue(SECONDS_MAX);
    if (!isStopping) await selfCheckWhenDue({ startedBy: "scheduler", secondsMax: SECONDS_MAX });
  });
  return {
    async stop() {
      isStopping = true;
      await Promise.all([timer.stop(), stopLongWork()]);
    },
  };
}
