import { and, type Column, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { type ListedBatch, toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { type CursorScope, decodeNumbers, encodeNumbers, SEQ_MAX } from "@/server/kernel/cursor";
import { isDistributed } from "@/server/kernel/shards";
import { creationHorizon } from "@/server/ledger/creation-order";
import { addressKey } from "@/terms/address-text";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "@/terms/batch-schema";
import { BATCH_STATUSES, POINT_TYPES, sortedMetadata } from "@/terms/batch-terms";
import { boundAfter, boundBefore, LATEST_MS } from "@/terms/fields";
import {
  type BatchFilters,
  COUNT_MAX,
  hasOnly,
  isSearched,
  LIST_SORTS,
  type ListSort,
  possibleStatuses,
  rangedTime,
} from "@/terms/filters";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import {
  conditionsInRange,
  inOrder,
  isAwaitingApproval,
  isOnHold,
  overdueBranches,
  type Ranges,
  rangesByCreation,
  rarestPair,
  readSearch,
  searchOf,
  timeRange,
} from "./conditions";
import type { BatchOutcome } from "./console-schema";

export interface BatchQuery extends BatchFilters {
  sort?: ListSort | undefined;
  limit?: number | undefined;
  cursor?: string | null | undefined;
  /** Reads all that match in index order, however many have to be skipped. For exports and bulk jobs. */
  whole?: boolean;
  /** Also reads how each batch ended, or who has it on hold. For exports. */
  outcome?: boolean;
}

export interface BatchPage {
  rows: SortedRow[];
  /** Null on the last page. */
  cursor: string | null;
  /** The number of batches that were sorted, if more may match; null if all were. */
  sortedAmong: number | null;
}

/** The end of a page: the last batch's sort key and sequence number. */
interface Position {
  /** The value sorted by: milliseconds, 10⁻¹² points or transfers. */
  key: bigint;
  seq: bigint;
  /**
   * The highest sequence number of the sorted batches, when only the latest ones were sorted. The next page leaves out newer
   * ones, so that it sorts the same batches. Otherwise 0.
   */
  top: bigint;
}

/**
 * One page of batches, with all filters ANDed. In the orders that an index has, the page is a range of it (db/schema/batches.ts):
 * the statement is built per combination of filters. In any other order, the latest `COUNT_MAX` that match are sorted, and the
 * reply says so if there may be more. A page from an index table may be short, even empty, and still have a cursor.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listBatches(ctx: ServiceContext, query: BatchQuery): Promise<BatchPage> {
  const {
    sort = "DESC",
    limit = LIST_LIMIT_DEFAULT,
    cursor,
    whole = false,
    outcome = false,
    ...filters
  } = query;
  const { by } = LIST_SORTS[sort];
  const isPlanned = by === "createdAt" && hasOnly(filters, ...OF_API) && !(await isDistributed(ctx.db));
  const contract = isPlanned ? filters.contractAddress : undefined;
  const read = contract ? null : (readOf(filters, sort) ?? (whole ? rangesByCreation(filters) : null));
  // The API's cursors have no `top`.
  const maxima = [KEYS[by].max, SEQ_MAX, ...(by === "createdAt" && (contract || read) ? [] : [SEQ_MAX])];
  const scope = listScope(filters, whole ? `${sort} whole` : sort);
  const after = typeof cursor === "string" ? positionOf(cursor, scope, maxima) : undefined;
  const reading: Reading = { filters, sort, after, rowsLeast: limit + 1, columns: columnsFor(by, outcome) };
  const { rows, searchedTo, examined, top } = contract
    ? await readOfContract(ctx.db, reading, addressToBytes(contract))
    : read
      ? await readInOrder(ctx, reading, read)
      : await sortLatest(ctx.db, reading);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : searchedTo;
  const numbersOf = (row: Edge) => [KEYS[by].read(String(row[by])), BigInt(row.seq), after?.top ?? top];
  return {
    rows: page,
    cursor: last && encodeNumbers(numbersOf(last).slice(0, maxima.length), scope),
    sortedAmong: examined > COUNT_MAX ? COUNT_MAX : null,
  };
}

function positionOf(cursor: string, scope: CursorScope, maxima: readonly bigint[]): Position {
  const [key, seq, top = 0n] = decodeNumbers(cursor, scope, maxima);
  return { key: key!, seq: seq!, top };
}

/** Whether the list is sorted whole, however many batches match. */
export const sortsWhole = (filters: BatchFilters, sort: ListSort): boolean => readOf(filters, sort) !== null;

/** The ranges that together have the list in this order, each of one index; null if there are none. */
function readOf(filters: BatchFilters, sort: ListSort): Ranges | null {
  const { by } = LIST_SORTS[sort];
  if (by === "createdAt") return rangedTime(filters) === "createdAt" ? rangesByCreation(filters) : null;
  const ranges = rangesOf(filters, by);
  return ranges && { ranges, others: filters };
}

function rangesOf(filters: BatchFilters, by: SortName): (SQL | undefined)[] | null {
  if (by === "finalizeAt") return dueRanges(filters);
  const isWhole = by === "finalizedAt" && hasOnly(filters, "statuses", "finalizedAfter", "finalizedBefore");
  return isWhole ? [eq(batches.status, "FINALIZED")] : null;
}

/** Batches that are not finalized or cancelled have partial indexes by due time, which other filters may narrow. */
function dueRanges({
  overdue,
  held,
  awaitingApproval,
  unblocked,
  recipient,
  metadata,
  statuses = [],
}: BatchFilters): SQL[] | null {
  const [notBlocked, claimed] = overdueBranches();
  const areOpen = statuses.length > 0 && statuses.every((one) => one === "PENDING" || one === "FINALIZING");
  if (recipient || metadata) return null;
  // First, because a batch on hold is not overdue, however late it is.
  if (overdue) return [notBlocked, claimed];
  if (unblocked) return [notBlocked];
  if (held) return [isOnHold()];
  if (awaitingApproval) return [isAwaitingApproval()];
  if (!areOpen) return null;
  return [
    ...(statuses.includes("PENDING")
      ? [notBlocked, isOnHold(), and(isAwaitingApproval(), isNull(batches.heldAt))!]
      : []),
    ...(statuses.includes("FINALIZING") ? [claimed] : []),
  ];
}

/** The filters of the API's list. */
const OF_API = ["contractAddress", "statuses", "pointType", "createdAfter", "createdBefore"] as const;

type SortName = (typeof LIST_SORTS)[ListSort]["by"];

/** `finalizedAt` only in this order, and the outcome only where it was asked for. */
export interface SortedRow extends ListedBatch, Partial<BatchOutcome> {}

type Edge = Pick<SortedRow, "seq"> & Partial<SortedRow>;

interface Reading {
  filters: BatchFilters;
  sort: ListSort;
  after: Position | undefined;
  /** The result may have a few more. */
  rowsLeast: number;
  columns: SQL;
}

interface Read {
  rows: SortedRow[];
  /** Where a search ended before it had enough rows. */
  searchedTo: Edge | null;
  /** How many batches were sorted, and the highest sequence number among them. 0 when an index has the order. */
  examined: number;
  top: bigint;
}

async function readInOrder(
  ctx: ServiceContext,
  { filters, sort, after, rowsLeast, columns }: Reading,
  { ranges, others }: Ranges,
): Promise<Read> {
  const { by, descending } = LIST_SORTS[sort];
  const isByCreation = by === "createdAt";
  const pair = isByCreation && isSearched(filters) ? await rarestPair(ctx.db, filters) : null;
  const search = pair === null ? null : await searchOf(ctx.db, filters, "createdAt", pair);
  const column = search ? sql`created_at` : KEYS[by].column;
  const { createdAfter, createdBefore } = filters;
  // By creation, a cursor replaces the bound on its side, so that the range starts there.
  const bounds = !isByCreation || !after ? filters : descending ? { createdAfter } : { createdBefore };
  const contract = filters.contractAddress ? addressToBytes(filters.contractAddress) : undefined;
  const horizon = isByCreation && !descending ? await creationHorizon(ctx.db, contract) : null;
  const createdAt = search ? column : batches.createdAt;
  const range = and(
    timeRange(bounds, createdAt),
    after && beyond(sort, after, column, search?.seq ?? batches.seq),
    horizon ? sql`${createdAt} < ${horizon}::timestamptz` : undefined,
  );
  if (search) {
    const found = await readSearch(ctx, search, { range, descending, columns, rowsLeast });
    return { ...found, examined: 0, top: 0n };
  }
  const where = and(conditionsInRange(others), range);
  const limit = literalLimit(rowsLeast);
  const page = inOrder({ ranges, where, columns, column, name: by, descending, limit });
  const { sql: text, params } = DIALECT.sqlToQuery(page);
  // Drizzle's builder took twice as long to write the statement, and its mapping of the rows as long as reading them. The
  // plan is not kept: one made for a contract with many batches looks through those of all for one with few.
  const rows = await ctx.db.sql.unsafe<SortedRow[]>(text, params as string[]);
  return { rows, searchedTo: null, examined: 0, top: 0n };
}

const DIALECT = new PgDialect();

/** The statements of `readOfContract`. */
const OF_CONTRACT = new Map<string, string>();

/**
 * A page of one contract with the API's filters: most lists. Written once, and planned once: Postgres does not see the values,
 * and the row comparisons are exactly one range of `batches_of_contract`, or one for each type and status of
 * `batches_by_type_contract_status`, whose orders no other index has. So no contract's size can mislead it. "list" in
 * docs/benchmarks.md.
 */
async function readOfContract(db: Database, reading: Reading, contract: Buffer): Promise<Read> {
  const { filters, sort, after, rowsLeast, columns } = reading;
  const { descending } = LIST_SORTS[sort];
  const horizon = descending ? null : await creationHorizon(db, contract);
  // The statuses in one order, however they were sent, so that there are few statements.
  const name = `${sort} ${limitOf(rowsLeast)} ${columns === LISTED_TEXT} ${filters.pointType} ${possibleStatuses(filters)}`;
  const text = OF_CONTRACT.get(name) ?? contractStatement(reading);
  OF_CONTRACT.set(name, text);
  const position = after && [isoTime(after.key), String(after.seq)];
  const lower = (!descending && position) || [
    boundAfter(filters.createdAfter) ?? isoTime(0n),
    String(SEQ_MAX),
  ];
  const before = [boundBefore(filters.createdBefore), horizon].filter((at) => at !== null).sort()[0];
  const upper = (descending && position) || [before ?? isoTime(BigInt(LATEST_MS)), "0"];
  const rows = await db.sql.unsafe<SortedRow[]>(text, [contract, ...lower, ...upper], {
    prepare: db.sql.options.prepare,
  });
  return { rows, searchedTo: null, examined: 0, top: 0n };
}

const isoTime = (ms: bigint) => new Date(Number(ms)).toISOString();

/** Parameters: the contract, then the lower and the upper bound, each a time and a sequence number. */
function contractStatement({ filters, sort, columns, rowsLeast }: Reading): string {
  const { descending } = LIST_SORTS[sort];
  const [way, limit] = [descending ? "desc" : "asc", limitOf(rowsLeast)];
  const [{ pointType }, statuses] = [filters, possibleStatuses(filters)];
  const isWhole = !pointType && statuses.length === BATCH_STATUSES.length;
  const bound = (at: number) => {
    const [contract, end] = ["(select $1::bytea)", `$${at}::timestamptz, $${at + 1}::bigint`];
    return isWhole ? `(${contract}, ${end})` : `(kind.type, ${contract}, kind.status, ${end})`;
  };
  const key = isWhole
    ? "contract_address, created_at, seq"
    : "point_type, contract_address, status, created_at, seq";
  const order = key
    .replaceAll(/\w+/g, `batches.$& ${way}`)
    .replace(/^batches.contract_address \w+/, `$& nulls ${descending ? "last" : "first"}`);
  const range = `select ${DIALECT.sqlToQuery(columns).sql} from batches where (${key}) > ${bound(2)} and (${key}) < ${bound(4)}
    order by ${order} limit ${limit}`;
  if (isWhole) return range;
  const kinds = POINT_TYPES.filter((type) => (pointType ?? type) === type).flatMap((type) =>
    statuses.map((status) => [type, status] as const),
  );
  const list = (at: 0 | 1) => `'{${kinds.map((kind) => kind[at]).join(",")}}'`;
  return `select page.* from unnest(${list(0)}::point_type[], ${list(1)}::batch_status[]) as kind (type, status)
    cross join lateral (${range}) as page order by "createdAt" ${way}, seq ${way} limit ${limit}`;
}

const beyond = (sort: ListSort, after: Position, column: SQLWrapper, seq: SQLWrapper): SQL => {
  const { by, descending } = LIST_SORTS[sort];
  return sql`(${column}, ${seq}) ${sql.raw(descending ? "<" : ">")} (${KEYS[by].write(after.key)}, ${after.seq}::bigint)`;
};

/** Few distinct limits keep the number of prepared statements low. */
const LIMITS = [2, 11, 51, 101, LIST_LIMIT_MAX + 1];

/** A limit of at least this many rows, as a literal: with a parameter the database would plan every call anew. */
const literalLimit = (rowsLeast: number): SQL => sql.raw(String(limitOf(rowsLeast)));
const limitOf = (rowsLeast: number) => LIMITS.find((rows) => rows >= rowsLeast) ?? rowsLeast;

/** Sorts the latest batches that match, in memory. If none of them match, the statement returns one row of nulls. */
async function sortLatest(
  db: Database,
  { filters, sort, after, rowsLeast, columns }: Reading,
): Promise<Read> {
  const { by, descending } = LIST_SORTS[sort];
  const { ctes, examined, top } = await readLatest(db, filters, {
    most: COUNT_MAX + 1,
    columns,
    upTo: after?.top,
  });
  const column = sql`${sql.identifier(by)}`;
  const order = sql`order by ${column} ${sql.raw(descending ? "desc" : "asc")}, seq ${sql.raw(descending ? "desc" : "asc")}`;
  const found = await db.orm.execute<
    SortedRow & Record<string, unknown> & { examined: number; topSeq: string | null }
  >(sql`
    with ${ctes}
    select page.*, looked.* from (select ${examined} as examined, ${top}::text as "topSeq") as looked
    left join (
      select * from (select * from latest order by ranged_at desc, seq desc limit ${COUNT_MAX}) as latest
      where ${after ? beyond(sort, after, column, sql`seq`) : sql`true`} ${order} limit ${rowsLeast}
    ) as page on true ${order}`);
  const [looked] = found;
  return {
    rows: found.filter(({ id }) => id !== null),
    searchedTo: null,
    examined: looked!.examined,
    top: BigInt(looked!.topSeq ?? 0),
  };
}

interface Latest {
  /** CTEs that end in `latest`, whose column `ranged_at` is the time of its order. */
  ctes: SQL;
  /** How many batches were looked at, as an expression. If it is `most`, there may be more that match. */
  examined: SQL;
  /** The highest sequence number that was looked at. */
  top: SQL;
}

interface LatestRead {
  most: number;
  /** Columns of `batches`, `seq` among them. */
  columns: SQL;
  /** Newer batches are left out. */
  upTo?: bigint | undefined;
}

/**
 * CTEs that end in `latest`: up to `most` batches that match, with the given columns of `batches`. They are the newest, or with
 * a filter by due or finalized time the last in that range, since that is what an index can find. With an index table they
 * are among its newest.
 */
export async function readLatest(
  db: Database,
  filters: BatchFilters,
  { most, columns, upTo }: LatestRead,
): Promise<Latest> {
  const notAfter = (seq: SQLWrapper) => (upTo === undefined ? undefined : sql`${seq} <= ${upTo}::bigint`);
  const name = rangedTime(filters);
  const time = batches[name];
  if (isSearched(filters)) {
    const { seq, step, batchesOf, where } = await searchOf(db, filters, name);
    const range = and(timeRange(filters, sql`created_at`), notAfter(seq));
    return {
      ctes: sql`${step(range, true, most)}, latest as materialized (
        ${batchesOf(sql`${columns}, ${time} as ranged_at`, where)})`,
      examined: sql`(select count(*)::int from step)`,
      top: sql`(select max(${seq}) from step)`,
    };
  }
  // The index by finalized time has all types together.
  const isSplit = name === "createdAt" || filters.overdue;
  const { ranges, others } = isSplit ? rangesByCreation(filters) : { ranges: [undefined], others: filters };
  const where = and(conditionsInRange(others), timeRange(filters), notAfter(batches.seq));
  const rows = inOrder({
    ranges,
    where,
    columns: sql`${columns}, ${time} as ranged_at`,
    column: time,
    name: "ranged_at",
    descending: true,
    limit: sql`${most}`,
  });
  return {
    ctes: sql`latest as materialized (${rows})`,
    examined: sql`(select count(*)::int from latest)`,
    top: sql`(select max(seq) from latest)`,
  };
}

const COLUMNS = {
  seq: batches.seq,
  id: batches.id,
  contractAddress: batches.contractAddress,
  pointType: batches.pointType,
  status: batches.status,
  points: batches.points,
  transferCount: batches.transferCount,
  createdAt: batches.createdAt,
  finalizeAt: batches.finalizeAt,
  updatedAt: batches.updatedAt,
  submittedBy: batches.submittedBy,
  heldAt: batches.heldAt,
  awaitsApproval: batches.awaitsApproval,
  reversesSeq: batches.reversesSeq,
} satisfies Record<keyof ListedBatch, Column>;

const asText = (columns: Record<string, Column>): string =>
  Object.entries(columns)
    .map(([name, column]) => `"batches"."${column.name}" as "${name}"`)
    .join(", ");

/** One text. Writing it column by column for every page took a twentieth of a list's time. */
export const LISTED_COLUMNS = asText(COLUMNS);
const LISTED_TEXT = sql.raw(LISTED_COLUMNS);

const OUTCOME = {
  finalizedAt: batches.finalizedAt,
  cancelledAt: batches.cancelledAt,
  cancelledBy: batches.cancelledBy,
  cancelReason: batches.cancelReason,
  heldBy: batches.heldBy,
  holdReason: batches.holdReason,
  approvedAt: batches.approvedAt,
  approvedBy: batches.approvedBy,
} satisfies Record<keyof BatchOutcome, Column>;
export const OUTCOME_NAMES = Object.keys(OUTCOME) as (keyof BatchOutcome)[];
const OUTCOME_TEXT = sql.raw(asText(OUTCOME));

function columnsFor(by: SortName, outcome: boolean): SQL {
  if (outcome) return sql`${LISTED_TEXT}, ${OUTCOME_TEXT}`;
  return by === "finalizedAt" ? sql`${LISTED_TEXT}, ${batches.finalizedAt} as "finalizedAt"` : LISTED_TEXT;
}

interface SortKey {
  column: Column;
  /** The column's value as a whole number, for cursors, and back. */
  read: (value: string) => bigint;
  write: (key: bigint) => SQL;
  max: bigint;
}

const time = (column: Column): SortKey => ({
  column,
  read: (value) => BigInt(Date.parse(toTimestamp(value))),
  write: (key) => sql`${new Date(Number(key)).toISOString()}::timestamptz`,
  max: BigInt(LATEST_MS),
});

const KEYS: Record<SortName, SortKey> = {
  createdAt: time(batches.createdAt),
  finalizeAt: time(batches.finalizeAt),
  finalizedAt: time(batches.finalizedAt),
  points: {
    column: batches.points,
    read: (value) => parseSum(shortestPoints(value)),
    write: (key) => sql`${formatPoints(key)}::text::numeric`,
    // `numeric(68,12)`, in 10⁻¹² points.
    max: 10n ** 68n - 1n,
  },
  transferCount: {
    column: batches.transferCount,
    read: BigInt,
    write: (key) => sql`${String(key)}::int`,
    max: 2n ** 31n - 1n,
  },
};

/** A list's filters and sort as one string, for its cursors. */
function listScope(filters: BatchFilters, sort: string): CursorScope {
  const entries = Object.entries({ ...filters, sort })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = name === "metadata" ? JSON.stringify(sortedMetadata(filters.metadata)) : String(value);
      return `${name}=${/Address|recipient/.test(name) ? addressKey(text) : text}`;
    });
  return entries.sort().join("&");
}
