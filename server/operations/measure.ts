import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { askFor } from "@/db/session-settings";
import { isStatementTimeout } from "@/server/kernel/database-errors";
import { RANGE_SHAPES, type Range } from "./chart-ranges";

const SECONDS_MAX = 4;

/** Limits each statement to 4 s. Returns null when there is so much data that one takes longer. */
export async function readBriefly<T>(
  db: Database,
  read: (tx: TransactionSql) => Promise<T>,
): Promise<T | null> {
  try {
    const result = await db.sql.begin("read only", async (tx) => {
      await askFor(tx, { statement_timeout: SECONDS_MAX * 1000 });
      return { value: await read(tx) };
    });
    return result.value;
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

export interface FinalizingBucket {
  at: string;
  /** Seconds from due to finalized, median and 95th percentile. Null for an empty bucket. */
  lagP50: string | null;
  lagP95: string | null;
}

/** Delays per bucket, oldest first, the last incomplete. Returns null when it takes longer than 4 s. */
export const measureFinalizing = (db: Database, range: Range): Promise<FinalizingBucket[] | null> =>
  readBriefly(db, async (tx) => [...(await bucketsQuery(tx, range))]);

/** Reads one range of the `finalized_at` index. */
export function bucketsQuery(sql: Sql | TransactionSql, range: Range) {
  const { bucketSeconds, buckets } = RANGE_SHAPES[range];
  const step = sql`${bucketSeconds}::int * interval '1 second'`;
  return sql<FinalizingBucket[]>`
    with span as materialized (
      select date_bin(${step}, now(), timestamptz '2000-01-01T00:00:00Z') as last
    ), places as (
      select last - ${step} * back as at from span, generate_series(${buckets - 1}::int, 0, -1) as back
    ), finalized as (
      select date_bin(${step}, finalized_at, timestamptz '2000-01-01T00:00:00Z') as at,
        percentile_cont(array[0.5, 0.95])
          within group (order by extract(epoch from finalized_at - finalize_at)::float8) as lags
      from batches
      where status = 'FINALIZED'
        and finalized_at >= (select last from span) - ${step} * ${buckets - 1}::int
      group by 1
    )
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      trim_scale(round(lags[1]::numeric, 3))::text as "lagP50",
      trim_scale(round(lags[2]::numeric, 3))::text as "lagP95"
    from places left join finalized using (at) order by at`;
}

const MINUTE_MS = 60_000;

/** Minutes in a row in which more is due than can be finalized, until everything due is finalized. */
export type LateWave = ReturnType<typeof lateWaves>[number];

/** By due time, from the minutes in which something is due. What is overdue belongs to the first. */
export function lateWaves(due: readonly { atMs: number; transfers: number }[], perMinute: number) {
  const waves: { fromMs: number; transfers: number; doneMs: number; lateMs: number }[] = [];
  for (const { atMs, transfers } of due) {
    // A wave lasts until nothing is left, perhaps only one minute.
    if (waves.length === 0 || atMs > waves.at(-1)!.doneMs)
      waves.push({ fromMs: atMs, transfers: 0, doneMs: atMs, lateMs: 0 });
    const wave = waves.at(-1)!;
    wave.transfers += transfers;
    wave.doneMs = wave.fromMs + (wave.transfers / perMinute) * MINUTE_MS;
    wave.lateMs = Math.max(wave.lateMs, wave.doneMs - atMs);
  }
  // The console warns of overdue batches after a minute.
  const late = waves.filter(({ lateMs }) => lateMs > MINUTE_MS);
  return late.map(({ fromMs, transfers, doneMs, lateMs }) => ({
    /** When the first of its batches are due, RFC 3339. */
    from: new Date(fromMs).toISOString(),
    transfers,
    /** When the last of them is finalized, RFC 3339, to the minute. */
    doneAt: new Date(Math.ceil(doneMs / MINUTE_MS) * MINUTE_MS).toISOString(),
    /** How late the latest of them is, in minutes, rounded up. */
    minutesLate: Math.ceil(lateMs / MINUTE_MS),
  }));
}

/** Of the clock: the current one and the 24 that follow, which hold all of the next 24 hours. */
const HOURS = 25;
const HOUR_MS = 60 * MINUTE_MS;
/** How many recent runs to search for large ones, which are not indexed. */
const RUNS_SEARCHED_MAX = 5_000;
const RUNS_MEASURED_MAX = 20;
/** The rate of a smaller run is mostly that of its round trips. */
const MEASURED_TRANSFERS_MIN = 1_000;

export type Load = NonNullable<Awaited<ReturnType<typeof readLoad>>>;

/** What is due in the next 24 hours, and whether it will be in time. Null when it takes longer than 4 s. */
export const readLoad = (db: Database) =>
  readBriefly(db, async (tx) => {
    const rows = await dueMinutes(tx);
    const [now] = await hourAndSpeed(tx);
    const { firstHourMs, transfers, seconds, runs } = now!;
    const due = rows.map(({ at_ms, transfers }) => ({ atMs: at_ms, transfers }));
    const measured = seconds ? { transfersPerMinute: Math.round((transfers / seconds) * 60), runs } : null;
    return {
      /** Transfers due in the current hour, with what is overdue, and in each of the 24 that follow. */
      hours: Array.from({ length: HOURS }, (_, hour) => {
        const fromMs = firstHourMs + hour * HOUR_MS;
        const inHour = due.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + HOUR_MS);
        return {
          from: new Date(fromMs).toISOString(),
          transfers: inHour.reduce((sum, { transfers }) => sum + transfers, 0),
        };
      }),
      /** What one finalizer credited in the largest of its recent runs. Null if none was large enough. */
      measured,
      /** When more is due than can be finalized at that rate. Empty without a rate. */
      waves: measured ? lateWaves(due, measured.transfersPerMinute) : [],
    };
  });

/** One range of the partial index of batches to finalize. What is overdue counts in the current minute. */
export const dueMinutes = (sql: Sql | TransactionSql) => sql<{ at_ms: number; transfers: number }[]>`
  select extract(epoch from date_trunc('minute', greatest(finalize_at, now())))::float8 * 1000 as at_ms,
    sum(transfer_count)::float8 as transfers
  from batches
  where status = 'PENDING' and held_at is null and not awaits_approval
    and finalize_at < date_trunc('hour', now(), 'UTC') + ${HOURS}::int * interval '1 hour'
  group by 1 order by 1`;

const hourAndSpeed = (sql: Sql | TransactionSql) => sql<
  { firstHourMs: number; transfers: number; seconds: number | null; runs: number }[]
>`
  select extract(epoch from date_trunc('hour', now(), 'UTC'))::float8 * 1000 as "firstHourMs",
    sum(transfers_settled)::float8 as transfers, sum(seconds)::float8 as seconds, count(*)::int as runs
  from (
    select transfers_settled, extract(epoch from finished_at - started_at) as seconds
    from (select * from finalizer_runs order by finished_at desc limit ${RUNS_SEARCHED_MAX}) as last
    where failure is null and transfers_settled >= ${MEASURED_TRANSFERS_MIN} and finished_at > started_at
    order by transfers_settled desc limit ${RUNS_MEASURED_MAX}
  ) as largest`;
