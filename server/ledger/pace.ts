import type { PendingQuery, Row, Sql, TransactionSql } from "postgres";

/** A contract's pace is the average of what it submitted in this many days. */
export const PACE_DAYS = 7;

/** Pending batches have reserved their points, so they count. Reversals do not. */
export const inPace = (sql: Sql | TransactionSql, now: PendingQuery<Row[]>) => sql`
  status <> 'CANCELLED' and reverses_seq is null
  and created_at > ${now} - make_interval(days => ${PACE_DAYS}::int)`;

const PACE_MS = PACE_DAYS * 86_400_000;
const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;
/** An amount that lasts longer counts as never running out. */
export const LASTING_YEARS = 100;

/** To the minute, at the contract's pace. Null without one, or if the amount lasts a hundred years. */
export function runsOutAt(now: string, available: bigint, submitted: bigint): string | null {
  if (submitted === 0n) return null;
  const lastingMs = (available * BigInt(PACE_MS)) / submitted;
  if (lastingMs > BigInt(LASTING_YEARS * YEAR_MS)) return null;
  const atMs = Date.parse(now) + Number(lastingMs);
  return new Date(atMs - (atMs % MINUTE_MS)).toISOString();
}
