import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { POINT_TYPES } from "@/server/kernel/values/batch-terms";
import type { ServiceContext } from "../../kernel/context";
import { validCursor } from "../../kernel/cursor";
import { type ListedBatch, toTimestamp } from "../../kernel/values/batch-rows";
import { LIST_LIMIT_DEFAULT } from "../../kernel/values/batch-schema";
import { LATEST_MS } from "../../kernel/values/fields";
import { formatPoints, parseSum, shortestPoints } from "../../kernel/values/points";
import { type BatchFilters, COUNT_MAX } from "./console-schema";
import {
  filterConditions,
  hasOnly,
  isAwaitingApproval,
  isOnHold,
  overdueBranches,
  timeRange,
} from "./filter-conditions";
import { usesIndexTable } from "./index-table";
import { listScope } from "./list-batches";
import { readLatest } from "./read-latest";
import { LISTED_TEXT } from "./read-page";
import { decodeSorted, encodeSorted, type SortedPosition } from "./sorted-cursor";
import { LIST_SORTS, type ListSort } from "./sorts";

/** If more batches match than an index can sort, only this many of the latest are sorted. */
export const SORTED_MAX = COUNT_MAX;

export interface SortedQuery extends BatchFilters {
  sort: ListSort;
  limit?: number | undefined;
  cursor?: string | null | undefined;
  /** Reads all that match in index order, however many have to be skipped. For exports. */
  whole?: boolean;
}

interface SortedPage {
  rows: ListedBatch[];
  /** Null on the last page. */
  cursor: string | null;
  /** The number of batches that were sorted, if more may match; null if all were. */
  sortedAmong: number | null;
}

interface SortedRow extends ListedBatch, Record<string, unknown> {
  sortKey: string | number;
}

interface Sorted {
  rows: SortedRow[];
  /** How many batches were looked at, and the highest sequence number among them. 0 when an index has the order. */
  examined: number;
  top: bigint;
}

interface SortKey {
  column: SQL;
  /** The column's value as a whole number, for cursors, and back. */
  read: (value: string) => bigint;
  write: (key: bigint) => SQL;
  max: bigint;
}

const time = (column: SQL): SortKey => ({
  column,
  read: (value) => BigInt(Date.parse(toTimestamp(value))),
  write: (key) => sql`${new Date(Number(key)).toISOString()}::timestamptz`,
  max: BigInt(LATEST_MS),
});

const KEYS: Record<(typeof LIST_SORTS)[ListSort]["by"], SortKey> = {
  createdAt: time(sql`${batches.createdAt}`),
  finalizeAt: time(sql`${batches.finalizeAt}`),
  finalizedAt: time(sql`${batches.finalizedAt}`),
  points: {
    column: sql`${batches.points}`,
    read: (value) => parseSum(shortestPoints(value)),
    write: (key) => sql`${formatPoints(key)}::text::numeric`,
    // `numeric(68,12)`, in 10⁻¹² points.
    max: 10n ** 68n - 1n,
  },
  transferCount: {
    column: sql`${batches.transferCount}`,
    read: BigInt,
    write: (key) => sql`${String(key)}::int`,
    max: 2n ** 31n - 1n,
  },
};

/**
 * One page in any of the console's orders, with all filters ANDed. If an index has the order, the page is a range of it.
 * Otherwise the latest `SORTED_MAX` batches that match are sorted, and the reply says so if there may be more.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listSorted(ctx: ServiceContext, query: SortedQuery): Promise<SortedPage> {
  const { sort, limit = LIST_LIMIT_DEFAULT, cursor, whole = false, ...filters } = query;
  const key = KEYS[LIST_SORTS[sort].by];
  const scope = listScope(filters, whole ? `${sort} whole` : sort);
  const after = typeof cursor === "string" ? validCursor(decodeSorted(cursor, scope, key.max)) : undefined;
  const unsorted = filters.overdue ? [...overdueBranches()] : [undefined];
  const ranges = rangesOf(filters, sort) ?? (whole ? unsorted : null);
  const { rows, examined, top } = ranges
    ? {
        rows: await readRanges(ctx.db, filters, { sort, ranges, after, rowsMost: limit + 1 }),
        examined: 0,
        top: 0n,
      }
    : await sortLatest(ctx.db, filters, { sort, after, rowsMost: limit + 1 });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page,
    cursor:
      last === undefined
        ? null
        : encodeSorted(
            { key: key.read(String(last.sortKey)), seq: BigInt(last.seq), top: after?.top ?? top },
            scope,
          ),
    sortedAmong: examined > SORTED_MAX ? SORTED_MAX : null,
  };
}

/** Whether the list is sorted whole, however many batches match. */
export const sortsWhole = (filters: BatchFilters, sort: ListSort): boolean =>
  rangesOf(filters, sort) !== null ||
  (LIST_SORTS[sort].by === "createdAt" && (usesIndexTable(filters) || !hasTimeRange(filters)));

const hasTimeRange = ({ dueAfter, dueBefore, finalizedAfter, finalizedBefore }: BatchFilters) =>
  Boolean(dueAfter || dueBefore || finalizedAfter || finalizedBefore);

/** The ranges that together have the list in this order, each of one index, as conditions; null if there are none. */
function rangesOf(filters: BatchFilters, sort: ListSort): (SQL | undefined)[] | null {
  switch (LIST_SORTS[sort].by) {
    case "points":
      if (!hasOnly(filters, "pointType", "minimumPoints")) return null;
      return POINT_TYPES.filter((type) => (filters.pointType ?? type) === type).map((type) =>
        eq(batches.pointType, type),
      );
    case "finalizedAt":
      return hasOnly(filters, "statuses", "finalizedAfter", "finalizedBefore")
        ? [eq(batches.status, "FINALIZED")]
        : null;
    case "finalizeAt":
      return dueRanges(filters) ?? (hasOnly(filters, "dueAfter", "dueBefore") ? [undefined] : null);
    default:
      return null;
  }
}

/** Batches that are not finalized or cancelled have partial indexes by due time, which other filters may narrow. */
function dueRanges({
  overdue,
  held,
  awaitingApproval,
  unblocked,
  recipient,
  statuses = [],
}: BatchFilters): SQL[] | null {
  const [notBlocked, claimed] = overdueBranches();
  const areOpen = statuses.length > 0 && statuses.every((one) => one === "PENDING" || one === "FINALIZING");
  if (recipient) return null;
  if (unblocked) return [notBlocked];
  if (held) return [isOnHold()];
  if (awaitingApproval) return [isAwaitingApproval()];
  if (overdue) return [notBlocked, claimed];
  if (!areOpen) return null;
  return [
    ...(statuses.includes("PENDING")
      ? [notBlocked, isOnHold(), and(isAwaitingApproval(), isNull(batches.heldAt))!]
      : []),
    ...(statuses.includes("FINALIZING") ? [claimed] : []),
  ];
}

interface Reading {
  sort: ListSort;
  after: SortedPosition | undefined;
  rowsMost: number;
}

/** What follows a position, and the order of rows. */
function orderOf(sort: ListSort, after: SortedPosition | undefined, column: SQL, seq: SQL) {
  const { by, descending } = LIST_SORTS[sort];
  const direction = sql.raw(descending ? "desc" : "asc");
  const beyond = sql.raw(descending ? "<" : ">");
  return {
    beyond: after && sql`(${column}, ${seq}) ${beyond} (${KEYS[by].write(after.key)}, ${after.seq}::bigint)`,
    order: sql`order by ${column} ${direction}, ${seq} ${direction}`,
  };
}

const listedWith = (key: SQL) => sql`${LISTED_TEXT}, ${key} as "sortKey"`;

/** Each range is read in its order and stops after a page. */
function readRanges(
  db: Database,
  filters: BatchFilters,
  { sort, ranges, after, rowsMost }: Reading & { ranges: (SQL | undefined)[] },
): Promise<SortedRow[]> {
  const { column } = KEYS[LIST_SORTS[sort].by];
  const { beyond, order } = orderOf(sort, after, column, sql`${batches.seq}`);
  const where = and(filterConditions(filters), timeRange(filters, "DESC"), beyond);
  const parts = ranges.map(
    (range) =>
      sql`(select ${listedWith(column)} from ${batches} where ${and(range, where) ?? sql`true`} ${order} limit ${rowsMost})`,
  );
  const merged = orderOf(sort, undefined, sql`"sortKey"`, sql`seq`).order;
  return db.orm.execute<SortedRow>(
    parts.length === 1 ? parts[0]! : sql`${sql.join(parts, sql` union all `)} ${merged} limit ${rowsMost}`,
  );
}

/** Sorts the latest batches that match, in memory. If none of them match, the statement returns one row of nulls. */
async function sortLatest(
  db: Database,
  filters: BatchFilters,
  { sort, after, rowsMost }: Reading,
): Promise<Sorted> {
  const { ctes, examined, top } = await readLatest(db, filters, {
    most: SORTED_MAX + 1,
    columns: listedWith(KEYS[LIST_SORTS[sort].by].column),
    upTo: after?.top,
  });
  const { beyond, order } = orderOf(sort, after, sql`"sortKey"`, sql`seq`);
  const found = await db.orm.execute<SortedRow & { examined: number; top: string | null }>(sql`
    with ${ctes}
    select page.*, looked.* from (select ${examined} as examined, ${top}::text as top) as looked
    left join (
      select * from (select * from latest order by ranged_at desc, seq desc limit ${SORTED_MAX}) as latest
      where ${beyond ?? sql`true`} ${order} limit ${rowsMost}
    ) as page on true ${order}`);
  const [first] = found;
  const rows = found.filter(({ id }) => id !== null);
  return { rows, examined: first!.examined, top: BigInt(first!.top ?? 0) };
}
