import type { Sql, TransactionSql } from "postgres";

/** Claims take 500 batches at once: what is claimed now is far fewer than this. */
const CLAIMED_MAX = 10_000;

/**
 * When the batch that has waited longest past its due time was due, null when none is: those a finalizer has claimed
 * count, those staff hold do not. Reads few rows of two partial indexes.
 */
export const oldestDue = (sql: Sql | TransactionSql) => sql`
  (select min(finalize_at) from (
    (select finalize_at from batches where status = 'PENDING' and held_at is null and finalize_at <= now()
      order by finalize_at limit 1)
    union all
    (select finalize_at from batches where status = 'FINALIZING' limit ${CLAIMED_MAX})) as late)`;
