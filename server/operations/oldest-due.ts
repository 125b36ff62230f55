import type { Sql, TransactionSql } from "postgres";

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
