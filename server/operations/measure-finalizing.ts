import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { RANGE_SHAPES, type Range } from "./ranges";
import { readBriefly } from "./read-briefly";

export interface FinalizingBucket {
  /** Start of the bucket, RFC 3339. */
  at: string;
  /** Seconds between due and finalized: median and 95th percentile of the bucket's batches. Null for an empty bucket. */
  lagP50: string | null;
  lagP95: string | null;
}

/**
 * Finalizing delays over a range, oldest bucket first. The last bucket is the current, incomplete one.
 * @returns null when there is so much data that measuring takes longer than 4 s
 */
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
        percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from finalized_at - finalize_at)::float8) as lags
      from batches
      where status = 'FINALIZED'
        and finalized_at >= (select last from span) - ${step} * ${buckets - 1}::int
      group by 1
    )
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      trim_scale(round(lags[1]::numeric, 3))::text as "lagP50", trim_scale(round(lags[2]::numeric, 3))::text as "lagP95"
    from places left join finalized using (at) order by at`;
}
