import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { isDatabaseUnavailable, postgresError } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { crashPoint } from "@/server/kernel/process";
import { settleClaim } from "@/server/ledger/settle";
import { claimDueBatches, releaseClaim } from "./claim-due-batches";

export interface FinalizerOptions {
  budgetSeconds: number;
  /** `cron`, `scheduler`, `ops` or `staff:<email>`. */
  startedBy: string;
  /** A run with an ID is stored even if there was nothing to do, since someone asks for its result. */
  runId?: string;
}

export interface FinalizerRun {
  batchesFinalized: number;
  transfersSettled: number;
  /** Longest delay between due and finalized, in seconds. */
  lagSecondsMax: number;
  /** Due batches that remain, at most 10,000, because time ran out or another finalizer claimed them. */
  dueLeft: number;
  /** An error message for staff. Null if the run succeeded. */
  failure: string | null;
}

/** Delay before retrying a batch that failed on its own. */
const RETRY_SECONDS = 5;
const DUE_COUNT_MAX = 10_000;

/**
 * Claims and settles due batches, chunk by chunk, until none are left or the time budget ends. Safe to run
 * concurrently. The batches of a failed chunk are retried one at a time, in turns with new ones, so that only
 * the batch that causes the failure waits.
 */
export async function finalizeDueBatches(db: Database, options: FinalizerOptions): Promise<FinalizerRun> {
  const startedAt = new Date();
  const endsAt = performance.now() + options.budgetSeconds * 1000;
  const run: FinalizerRun = {
    batchesFinalized: 0,
    transfersSettled: 0,
    lagSecondsMax: 0,
    dueLeft: 0,
    failure: null,
  };
  for (let turn = 0; performance.now() < endsAt; turn++) {
    const claim = await claimDueBatches(db, randomUUID(), turn % 2 === 1);
    if (claim.batches === 0) break;
    crashPoint("after-claim");
    try {
      const settled = await settleClaim(db, claim);
      crashPoint("after-settle");
      run.batchesFinalized += settled.batches;
      run.transfersSettled += settled.transfers;
      run.lagSecondsMax = Math.max(run.lagSecondsMax, settled.lagSecondsMax);
      if (claim.contracts === null)
        await countNewAccounts(db, settled.accounts).catch((error) =>
          log().warn({ error }, "counting new accounts failed, left to autovacuum"),
        );
    } catch (error) {
      // After a deadlock the next attempt waits for the end of the other transaction.
      const isPassing = postgresError(error)?.code === "40P01";
      if (!isPassing) run.failure = describeFailure(error);
      log().error({ error, claimId: claim.id }, "settling failed, claim released");
      const isAway = isDatabaseUnavailable(error);
      const retrySeconds = claim.batches > 1 || isPassing ? 0 : RETRY_SECONDS;
      await releaseClaim(db, claim, retrySeconds, isAway ? "whole" : "one by one").catch(() => undefined);
      if (isAway && !isPassing) break;
    }
  }
  run.dueLeft = await countDue(db);
  await recordRun(db, run, startedAt, options);
  return run;
}

export async function countDue(db: Database): Promise<number> {
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from (
        select contract_address from batches
        where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()
        union all
        select contract_address from batches where status = 'FINALIZING'
      ) as work limit ${DUE_COUNT_MAX}
    ) as due`;
  return row!.count;
}

/** Fewer accounts than this are read quickly even by a plan that reads all of them. */
const ACCOUNTS_NOTICED_MIN = 500;

/**
 * Makes Postgres count the accounts when a payout has written more than it assumes there are. Submits keep a
 * plan that reads all accounts from when there were few, and were ten times slower until autovacuum noticed.
 */
async function countNewAccounts({ sql }: Database, written: number): Promise<void> {
  if (written < ACCOUNTS_NOTICED_MIN) return;
  const [row] =
    await sql`select 1 from pg_class where oid = 'accounts'::regclass and reltuples < ${written}::int`;
  if (row) await sql`analyze (skip_locked) accounts`;
}

function describeFailure(error: unknown): string {
  const refusal = postgresError(error);
  if (!refusal) return "Finalizing failed: the database did not respond.";
  const constraint = refusal.constraint ? ` (${refusal.constraint})` : "";
  return `Finalizing failed: the database returned SQLSTATE ${refusal.code}${constraint}.`;
}

/**
 * Stores a run that did something or failed, and adds it to the totals. Every run updates the heartbeat, at
 * most every two seconds. A run that is killed before this point is not counted.
 */
async function recordRun(
  { sql }: Database,
  { batchesFinalized, transfersSettled, lagSecondsMax, failure }: FinalizerRun,
  startedAt: Date,
  { startedBy, runId }: FinalizerOptions,
): Promise<void> {
  await sql`
    insert into finalizer_heartbeat as kept (singleton, last_tick_at, batches_finalized, transfers_settled)
    values (true, now(), ${batchesFinalized}, ${transfersSettled})
    on conflict (singleton) do update set last_tick_at = now(),
      batches_finalized = kept.batches_finalized + excluded.batches_finalized,
      transfers_settled = kept.transfers_settled + excluded.transfers_settled
    where kept.last_tick_at < now() - interval '2 seconds' or excluded.batches_finalized > 0`;
  if (batchesFinalized === 0 && !failure && !runId) return;
  await sql`
    insert into finalizer_runs (id, started_by, started_at, batches_finalized, transfers_settled,
      lag_seconds_max, failure)
    values (${runId ?? randomUUID()}, ${startedBy}, ${startedAt.toISOString()}::timestamptz,
      ${batchesFinalized}, ${transfersSettled}, ${lagSecondsMax}, ${failure})`;
}
