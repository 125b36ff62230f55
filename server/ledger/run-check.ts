import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { inOneSnapshot } from "@/server/kernel/shards";
import { postgresError } from "../kernel/database-errors";
import { findBreaks, type LedgerReport, readLedger, readSize } from "./check-ledger";
import {
  type Checkpoint,
  dropCheckpoint,
  makeCheckpoint,
  moveCheckpoint,
  newScope,
  readCheckpoint,
  sliceScope,
  UNSETTLED_SECONDS,
} from "./checkpoint";

/** Keys of the advisory lock that allows one check at a time, over all instances on the database. */
export const CHECK_LOCK = { space: 7_262_542, key: 1 } as const;
/** The rule name of the finding for a check that did not complete. */
export const CHECK_COMPLETED = "check_completed";
/** A check that did not complete is retried after this time, or sooner if checks are more frequent. */
const RETRY_HOURS = 1;

export interface CheckOptions {
  /** `scheduler`, `cron`, `ops` or `staff:<email>`. */
  startedBy: string;
  /** Time limit of each statement. */
  secondsMax: number;
  /** Run only if the last stored check is at least this old. */
  dueAfterHours?: number;
  /** Default `whole`. Also `whole` if `incremental` has no checkpoint to continue from. */
  reach?: LedgerReport["reach"];
  /** How many incremental checks make up one round over all old data. */
  slices?: number;
  /** Less than `UNSETTLED_SECONDS` only if nothing else writes. */
  unsettledSeconds?: number;
  /** The id of a user's request, for the audit log. */
  requestId?: string;
}

const SLICES_DEFAULT = 7;
const SERIALIZATION_FAILURE = "40001";

/**
 * Checks the ledger and stores the result in one transaction, which reads one snapshot and locks no rows of the service. The
 * lock ends with the transaction, even if the process dies. Needs a pool of two connections.
 * @returns null when another check is running or just ran, or none is due
 */
export async function runCheck(db: Database, options: CheckOptions): Promise<LedgerReport | null> {
  try {
    return await checkInTransaction(db, options);
  } catch (error) {
    // Another check moved the checkpoint between this one's snapshot and its lock.
    if (postgresError(error)?.code === SERIALIZATION_FAILURE) return null;
    throw error;
  }
}

async function checkInTransaction(db: Database, options: CheckOptions): Promise<LedgerReport | null> {
  return await inOneSnapshot(db, "read write", async (tx) => {
    const [claim] = await tx<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${CHECK_LOCK.space}::int, ${CHECK_LOCK.key}::int) as "isMine",
        set_config('statement_timeout', ${String(options.secondsMax * 1000)}, true)`;
    if (!claim!.isMine) return null;
    // Queried outside the transaction, whose snapshot may be older than the end of another instance's check.
    if (options.dueAfterHours && !(await isCheckDue(db, options.dueAfterHours))) return null;
    const report = await readReport(tx, options);
    await store(tx, report, options);
    return report;
  });
}

async function readReport(tx: TransactionSql, options: CheckOptions): Promise<LedgerReport> {
  const { reach = "whole", slices = SLICES_DEFAULT, unsettledSeconds = UNSETTLED_SECONDS } = options;
  const checkpoint = reach === "whole" ? null : await readCheckpoint(tx, unsettledSeconds);
  if (checkpoint) return await checkIncrement(tx, checkpoint, slices);
  const report = await readLedger(tx);
  // After a finding, every check is a full one until one passes. Otherwise a later slice could seem to have fixed it.
  await (report.ok ? makeCheckpoint(tx, slices, unsettledSeconds) : dropCheckpoint(tx));
  return report;
}

/**
 * Checks all accounts against the checkpoint plus what was settled since, all new batches, and the next slice of old ones.
 * Without findings the checkpoint moves on. Otherwise the next check reads the same data again.
 */
async function checkIncrement(
  tx: TransactionSql,
  checkpoint: Checkpoint,
  slices: number,
): Promise<LedgerReport> {
  const [added, slice] = [newScope(tx, checkpoint), sliceScope(tx, checkpoint)];
  const findings = await findBreaks(tx, [added, slice]);
  const size = await readSize(tx, [
    added.batches,
    tx`${slice.batches} and not coalesce(${added.batches}, false)`,
  ]);
  const ok = findings.length === 0;
  if (ok) await moveCheckpoint(tx, checkpoint, slices);
  return { ok, reach: "incremental", ...size, findings };
}

/** Whether the last stored check is more than `hours` old. */
export async function isCheckDue({ sql }: Database, hours: number): Promise<boolean> {
  const incomplete = JSON.stringify([{ rule: CHECK_COMPLETED }]);
  const [row] = await sql<{ isDue: boolean }[]>`
    select not exists (
      select 1 from ledger_checks
      where finished_at > clock_timestamp() - ${hours}::int * interval '1 hour'
        and (not findings @> ${incomplete}::text::jsonb
          or finished_at > clock_timestamp() - ${Math.min(hours, RETRY_HOURS)}::int * interval '1 hour')
    ) as "isDue"`;
  return row!.isDue;
}

async function store(tx: TransactionSql, report: LedgerReport, options: CheckOptions): Promise<void> {
  await tx`
    insert into ledger_checks (started_by, reach, started_at, finished_at, is_ok, batches, transfers, accounts, totals, findings)
    values (${options.startedBy}, ${report.reach}, now(), clock_timestamp(), ${report.ok}, ${report.batches}, ${report.transfers},
      ${report.accounts}, ${JSON.stringify(report.totals)}::text::jsonb, ${JSON.stringify(report.findings)}::text::jsonb)`;
  if (!options.requestId) return;
  await tx`
    insert into audit_log (actor, action, target, detail, request_id)
    values (${options.startedBy}, 'ledger.check', 'ledger',
      jsonb_build_object('ok', ${report.ok}::boolean, 'findings', ${report.findings.length}::int), ${options.requestId})`;
}

/** Stores that a check did not complete and why, so that an older result does not look like the latest. */
export async function storeIncompleteCheck(
  { sql }: Database,
  startedBy: string,
  startedAt: Date,
  why: string,
): Promise<void> {
  await sql`
    insert into ledger_checks (started_by, started_at, finished_at, is_ok, batches, transfers, accounts, findings)
    values (${startedBy}, ${startedAt.toISOString()}::timestamptz, clock_timestamp(), false, 0, 0, 0,
      ${JSON.stringify([{ rule: CHECK_COMPLETED, detail: why }])}::text::jsonb)`;
}
