import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { BatchFilters } from "./console-schema";
import { conditionsByKey, filterConditions, overdueBranches, timeRange } from "./filter-conditions";
import { batchesOfStep, INDEX_COLUMNS, indexTableOf, stepOf, usesIndexTable } from "./index-table";

interface Latest {
  /** CTEs that end in `latest`, whose column `ranged_at` is the time of its order. */
  ctes: SQL;
  /** How many batches were looked at, as an expression. If it is `most`, there may be more that match. */
  examined: SQL;
  /** The highest sequence number that was looked at. */
  top: SQL;
}

interface Reading {
  most: number;
  /** Columns of `batches`, `seq` among them. */
  columns: SQL;
  /** Newer batches are left out. */
  upTo?: bigint | undefined;
  /** The database's clock when absent. */
  now?: SQL | undefined;
}

/**
 * CTEs that end in `latest`: up to `most` batches that match, with the given columns of `batches`. They are the newest, or with
 * a filter by due or finalized time the last in that range, since that is what an index can find. With an index table they
 * are among its newest.
 */
export async function readLatest(
  db: Database,
  filters: BatchFilters,
  { most, columns, upTo, now }: Reading,
): Promise<Latest> {
  if (usesIndexTable(filters)) return latestOfIndexTable(db, filters, { most, columns, upTo, now });
  const where = and(filterConditions(filters, now), timeRange(filters, "DESC"), notAfter(batches.seq, upTo));
  const order = sql`order by ${rangedTime(filters)} desc, ${batches.seq} desc limit ${most}`;
  const read = (branch?: SQL) =>
    sql`(select ${columns}, ${rangedTime(filters)} as ranged_at from ${batches} where ${and(branch, where) ?? sql`true`} ${order})`;
  const rows = filters.overdue
    ? sql`${sql.join(overdueBranches().map(read), sql` union all `)} order by ranged_at desc, seq desc limit ${most}`
    : read();
  return {
    ctes: sql`latest as materialized (${rows})`,
    examined: sql`(select count(*)::int from latest)`,
    top: sql`(select max(seq) from latest)`,
  };
}

const notAfter = (seq: SQLWrapper, upTo: bigint | undefined) =>
  upTo === undefined ? undefined : sql`${seq} <= ${upTo}::bigint`;

/** The time whose index finds the batches. */
function rangedTime(filters: BatchFilters): SQL {
  if (filters.finalizedAfter || filters.finalizedBefore) return sql`${batches.finalizedAt}`;
  return filters.dueAfter || filters.dueBefore ? sql`${batches.finalizeAt}` : sql`${batches.createdAt}`;
}

async function latestOfIndexTable(
  db: Database,
  filters: BatchFilters,
  { most, columns, upTo, now }: Reading,
): Promise<Latest> {
  const table = await indexTableOf(db, filters);
  const range = and(timeRange(filters, "DESC", undefined, INDEX_COLUMNS), notAfter(INDEX_COLUMNS.seq, upTo));
  const where = conditionsByKey(table.others, now);
  return {
    ctes: sql`${stepOf(table, { range, descending: true }, most)}, latest as materialized (
      ${batchesOfStep(sql`${columns}, created_at as ranged_at`, where)})`,
    examined: sql`(select count(*)::int from step)`,
    top: sql`(select max(batch_seq) from step)`,
  };
}
