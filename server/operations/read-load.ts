import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { type LateWave, lateWaves } from "./late-waves";
import { readBriefly } from "./read-briefly";

/** Of the clock: the current one and the 24 that follow, which hold all of the next 24 hours. */
const HOURS = 25;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How many recent runs to search for large ones, which are not indexed. */
const RUNS_SEARCHED_MAX = 5_000;
const RUNS_MEASURED_MAX = 20;
/** The rate of a smaller run is mostly that of its round trips. */
const MEASURED_TRANSFERS_MIN = 1_000;

export interface Load {
  /** Transfers that become due in the current hour and each of the 24 that follow. The first includes what is overdue. */
  hours: { from: string; transfers: number }[];
  /** What one finalizer credited in the largest of its recent runs. Null if none was large enough. */
  measured: { transfersPerMinute: number; runs: number } | null;
  /** When more is due than can be finalized at that rate. Empty without a rate. */
  waves: LateWave[];
}

/**
 * What is due in the next 24 hours, and whether it can be finalized in time.
 * @returns null when so much is due that adding it up takes longer than 4 s
 */
export const readLoad = (db: Database): Promise<Load | null> =>
  readBriefly(db, async (tx) => {
    const rows = await dueMinutes(tx);
    const [now] = await hourAndSpeed(tx);
    const { firstHourMs, transfers, seconds, runs } = now!;
    const due = rows.map(({ at_ms, transfers }) => ({ atMs: at_ms, transfers }));
    const measured = seconds ? { transfersPerMinute: Math.round((transfers / seconds) * 60), runs } : null;
    return {
      hours: Array.from({ length: HOURS }, (_, hour) => {
        const fromMs = firstHourMs + hour * HOUR_MS;
        const inHour = due.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + HOUR_MS);
        return {
          from: new Date(fromMs).toISOString(),
          transfers: inHour.reduce((sum, { transfers }) => sum + transfers, 0),
        };
      }),
      measured,
      waves: measured ? lateWaves(due, measured.transfersPerMinute) : [],
    };
  });

/** One range of the partial index of batches that will be finalized. What is overdue counts in the current minute. */
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
