import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import type { FinalizerRun } from "@/server/finalizer/finalize-due-batches";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";
import { CHECK_COMPLETED, CHECK_LOCK, type LedgerReport } from "@/server/ledger/run-check";
import { COUNT_MAX } from "@/terms/filters";

/** A claim takes up to 500 batches, so far fewer than this are claimed at any time. */
const CLAIMED_MAX = 10_000;

/**
 * The due time of the batch that is overdue longest, or null. Includes batches that a finalizer has claimed,
 * but not those on hold. Reads a few rows of two partial indexes.
 */
export const oldestDue = (tx: Sql | TransactionSql) => tx`(
  select min(finalize_at)
  from (
    (
      select finalize_at
      from batches
      where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()
      order by finalize_at
      limit 1
    )
    union all
    (select finalize_at from batches where status = 'FINALIZING' limit ${CLAIMED_MAX})
  ) as late
)`;

export interface FinalizingState {
  /** Due batches that are not on hold, including those being finalized now. At most `COUNT_MAX` + 1. */
  due: number;
  oldestOverdueSeconds: number | null;
  /** The age of the oldest batch that the index by recipient lacks. */
  unindexedSeconds: number | null;
  lastTickSeconds: number | null;
  /** Whether this host runs a finalizer. Otherwise the cron route must be called. */
  finalizerIsOn: boolean;
  /** How often the cron route is called. Null if it is not, or no longer. */
  callSeconds: number | null;
}

/**
 * Expects the next call of the cron route after the longest time between two, at first a day. That counts
 * until it has passed once more, so a call in between is no new schedule.
 */
export async function noteCall({ sql }: Database): Promise<void> {
  await sql`
    insert into alert_jobs as c (name, succeeded_at, next_at)
    values ('cron', now(), now() + interval '1 day')
    on conflict (name) do update set succeeded_at = now(),
      next_at = now() + greatest(now() - c.succeeded_at, c.next_at - now())`;
}

export async function readState({ db }: ServiceContext): Promise<FinalizingState> {
  const [state] = await stateQuery(db.sql);
  return { ...state!, finalizerIsOn: settings().FINALIZER };
}

/** Each part reads a few rows of a partial index. */
export const stateQuery = (sql: Sql) => sql<Omit<FinalizingState, "finalizerIsOn">[]>`
    select (select count(*)::int from (
        (select 1 from batches
          where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()
          limit ${COUNT_MAX + 1})
        union all
        (select 1 from batches where status = 'FINALIZING' limit ${COUNT_MAX + 1})
        limit ${COUNT_MAX + 1}) as due) as due,
      floor(extract(epoch from now() - ${oldestDue(sql)}))::int as "oldestOverdueSeconds",
      (select floor(extract(epoch from now() - created_at))::int from batches
        where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
        order by created_at, seq limit 1) as "unindexedSeconds",
      (select floor(greatest(extract(epoch from now() - last_tick_at), 0))::int
        from finalizer_heartbeat) as "lastTickSeconds",
      (select ceil(extract(epoch from next_at - succeeded_at))::int
        from alert_jobs where name = 'cron' and succeeded_at > now()
          - greatest(interval '10 minutes', 2 * (next_at - succeeded_at))) as "callSeconds"`;

const RUNS_MAX = 30;
/** How many recent runs to search for failures, which are rare and not indexed. */
const LOOKED_AT_MAX = 5_000;

export interface RecentRun extends Omit<FinalizerRun, "dueLeft"> {
  id: string;
  startedBy: string;
  finishedAt: string;
  seconds: number;
}

export async function listRuns(
  { db: { sql } }: ServiceContext,
  input: { failedOnly: boolean },
): Promise<RecentRun[]> {
  const rows = await sql<RecentRun[]>`
    select id, started_by as "startedBy", finished_at as "finishedAt",
      round(greatest(0, extract(epoch from finished_at - started_at)), 2)::float8 as seconds,
      batches_finalized as "batchesFinalized", transfers_settled as "transfersSettled",
      lag_seconds_max as "lagSecondsMax", failure
    from (select * from finalizer_runs order by finished_at desc limit ${LOOKED_AT_MAX}) as last
    where ${input.failedOnly ? sql`failure is not null` : sql`(batches_finalized > 0 or failure is not null)`}
    order by finished_at desc limit ${RUNS_MAX}`;
  return rows.map((row) => withTimes(row, "finishedAt"));
}

export interface LastCheck
  extends Pick<LedgerReport, "reach" | "batches" | "transfers" | "accounts" | "findings"> {
  startedBy: string;
  startedAt: string;
  finishedAt: string;
  seconds: number;
  isOk: boolean;
  /** Whether the check completed. If not, its only finding says why. */
  isWhole: boolean;
}

export type SelfCheckState = Awaited<ReturnType<typeof readSelfCheck>>;

export async function readSelfCheck({ db: { sql } }: ServiceContext) {
  const [[last], [other]] = await Promise.all([
    sql<Omit<LastCheck, "isWhole">[]>`
      select started_by as "startedBy", reach, started_at as "startedAt", finished_at as "finishedAt",
        round(extract(epoch from finished_at - started_at), 1)::float8 as seconds, is_ok as "isOk",
        batches::float8 as batches, transfers::float8 as transfers, accounts::float8 as accounts, findings
      from ledger_checks order by finished_at desc limit 1`,
    sql<{ lastGoodAt: string | null; lastRoundAt: string | null; isRunning: boolean }[]>`
      select (select finished_at from ledger_checks
          where is_ok order by finished_at desc limit 1) as "lastGoodAt",
        (select round_finished_at from ledger_checkpoint) as "lastRoundAt",
        exists (select 1 from pg_locks
          where locktype = 'advisory' and classid = ${CHECK_LOCK.space}::int::oid
            and objid = ${CHECK_LOCK.key}::int::oid and objsubid = 2 and granted
            and database = (select oid from pg_database where datname = current_database())) as "isRunning"`,
  ]);
  const { lastGoodAt, lastRoundAt, isRunning } = withTimes(other!, "lastGoodAt", "lastRoundAt");
  const isWhole = last?.findings.every(({ rule }) => rule !== CHECK_COMPLETED) ?? false;
  return {
    last: last ? { ...withTimes(last, "startedAt", "finishedAt"), isWhole } : null,
    /** Time of the last check without findings, if that is not `last`. */
    lastGoodAt,
    /** When all old data was last checked. Null before the first full check without findings. */
    lastRoundAt,
    isRunning,
    everyHours: settings().SELF_CHECK_EVERY_HOURS,
  };
}
