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

/** Of the clock: the current one and the 24 that follow, which hold all of the next 24 hours. */
const HOURS = 25;
const HOUR_MS = 3_600_000;

export type DueHour = NonNullable<Awaited<ReturnType<typeof readLoad>>>[number];

/**
 * Transfers due in the current hour, with what is overdue, and in each of the 24 that follow. Null when it
 * takes longer than 4 s.
 */
export const readLoad = (db: Database) =>
  readBriefly(db, async (tx) => {
    const due = await dueHours(tx);
    const [now] = await tx<{ firstMs: number }[]>`
      select extract(epoch from date_trunc('hour', now(), 'UTC'))::float8 * 1000 as "firstMs"`;
    return Array.from({ length: HOURS }, (_, hour) => {
      const fromMs = now!.firstMs + hour * HOUR_MS;
      const transfers = due.find(({ at_ms }) => at_ms === fromMs)?.transfers ?? 0;
      return { from: new Date(fromMs).toISOString(), transfers };
    });
  });

/** One range of the partial index of batches to finalize. What is overdue counts in the current hour. */
export const dueHours = (sql: Sql | TransactionSql) => sql<{ at_ms: number; transfers: number }[]>`
  select extract(epoch from date_trunc('hour', greatest(finalize_at, now()), 'UTC'))::float8 * 1000 as at_ms,
    sum(transfer_count)::float8 as transfers
  from batches
  where status = 'PENDING' and held_at is null and not awaits_approval
    and finalize_at < date_trunc('hour', now(), 'UTC') + ${HOURS}::int * interval '1 hour'
  group by 1 order by 1`;
