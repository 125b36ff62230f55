import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { sqlFault } from "../kernel/database-faults";
import { RANGE_SHAPES, type Range } from "./ranges";

/** Longest the database may work on one measurement. */
const SECONDS_MAX = 4;
const STATEMENT_TOO_LONG = "57014";

export interface FinalizingBucket {
  /** RFC 3339 start of the bucket. */
  at: string;
  /** Decimal strings: batches finalized, and transfers settled, per minute. */
  batchesPerMinute: string;
  transfersPerMinute: string;
  /** Seconds between due and finalized, of half and of 95 in 100 of the bucket's batches; null when it has none. */
  lagP50: string | null;
  lagP95: string | null;
}

/**
 * What was finalized over a range, oldest bucket first; the last bucket goes on still.
 * @returns null when so much was finalized that measuring takes longer than 4 s
 */
export async function measureFinalizing(db: Database, range: Range): Promise<FinalizingBucket[] | null> {
  try {
    return await db.sql.begin("read only", async (tx) => {
      await tx`select set_config('statement_timeout', ${String(SECONDS_MAX * 1000)}, true)`;
      return [...(await bucketsQuery(tx, range))];
    });
  } catch (error) {
    if (sqlFault(error)?.code === STATEMENT_TOO_LONG) return null;
    throw error;
  }
}

/** One range of the index on `finalized_at`. The current bucket's rate is over the time it has lasted, at least a minute. */
export function bucketsQuery(sql: Sql | TransactionSql, range: Range) {
  const { bucketSeconds, buckets } = RANGE_SHAPES[range];
  const step = sql`${bucketSeconds}::int * interval '1 second'`;
  const lasts = sql`least(${bucketSeconds}::int, greatest(60, extract(epoch from now() - at)))`;
  return sql<FinalizingBucket[]>`
    with span as materialized (
      select date_bin(${step}, now(), timestamptz '2000-01-01T00:00:00Z') as last
    ), places as (
      select last - ${step} * back as at from span, generate_series(${buckets - 1}::int, 0, -1) as back
    ), finalized as (
      select date_bin(${step}, finalized_at, timestamptz '2000-01-01T00:00:00Z') as at, count(*) as batches,
        sum(transfer_count) as transfers,
        percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from finalized_at - finalize_at)::float8) as lags
      from batches
      where status = 'FINALIZED'
        and finalized_at >= (select last from span) - ${step} * ${buckets - 1}::int
      group by 1
    )
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      trim_scale(round(coalesce(batches, 0) * 60 / ${lasts}, 2))::text as "batchesPerMinute",
      trim_scale(round(coalesce(transfers, 0) * 60 / ${lasts}, 2))::text as "transfersPerMinute",
      trim_scale(round(lags[1]::numeric, 3))::text as "lagP50", trim_scale(round(lags[2]::numeric, 3))::text as "lagP95"
    from places left join finalized using (at) order by at`;
}
