import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { batches, batchUploads } from "@/db/schema/batches";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ListedBatch } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { SEARCHED_MAX, searchInSteps } from "@/server/kernel/search-in-steps";
import { findUnindexedBatches, type UnindexedBatch } from "@/server/recipients/index-recipients";
import { BATCH_STATUSES, OVERDUE_AFTER_SECONDS, POINT_TYPES } from "@/terms/batch-terms";
import { boundAfter, boundBefore } from "@/terms/fields";
import {
  type BatchFilters,
  chooseFilters,
  FILTER_NAMES,
  type FilterName,
  possibleStatuses,
  usesIndexTable,
} from "@/terms/filters";

/** It does not narrow `batches` by itself: a range of the index does (`timeRange`), or the index table that is read. */
const byRange = () => undefined;

const CONDITIONS = {
  contractAddress: (address) => eq(batches.contractAddress, addressToBytes(address)),
  statuses: ([first, ...others]) =>
    first && (others.length > 0 ? inArray(batches.status, [first, ...others]) : eq(batches.status, first)),
  /** Also needs one of `overdueBranches`. */
  overdue: () => lt(batches.finalizeAt, overdueBefore(sql`now()`)),
  held: () => isOnHold(),
  awaitingApproval: () => isAwaitingApproval(),
  pointType: (type) => eq(batches.pointType, type),
  createdAfter: byRange,
  createdBefore: byRange,
  dueAfter: (after) => isAfter(batches.finalizeAt, after),
  dueBefore: (before) => isBefore(batches.finalizeAt, before),
  finalizedAfter: (after) => and(eq(batches.status, "FINALIZED"), isAfter(batches.finalizedAt, after)),
  finalizedBefore: (before, filters) =>
    and(
      filters.finalizedAfter ? undefined : eq(batches.status, "FINALIZED"),
      isBefore(batches.finalizedAt, before),
    ),
  idPrefix: (prefix) => sql`${batches.id} ^@ ${prefix}`,
  recipient: byRange,
  minimumPoints: (points) => gte(batches.points, points),
  submittedBy: (submitter) => eq(batches.submittedBy, asStored(submitter)),
  metadata: (pairs) => and(...Object.entries(pairs).map(([key, value]) => sql`${valueAt(key)} = ${value}`)),
  unusual: (_, filters) => isUnusual(filters),
  reversals: () => isNotNull(batches.reversesSeq),
  unblocked: () => isUnblocked(),
  uploadId: (uploadId) => isPartOf(uploadId),
} satisfies {
  [Name in FilterName]: (value: NonNullable<BatchFilters[Name]>, filters: BatchFilters) => SQL | undefined;
};

export const COMPARED = sql.raw(
  "contract_address, seq, id, status, point_type, points, held_at, awaits_approval, created_at, finalize_at, finalized_at, submitted_by, reverses_seq",
);

export function filterConditions(filters: BatchFilters): SQL | undefined {
  const conditions = FILTER_NAMES.map((name) => {
    const condition: (value: never, filters: BatchFilters) => SQL | undefined = CONDITIONS[name];
    return filters[name] ? condition(filters[name] as never, filters) : undefined;
  });
  return and(...conditions);
}

/** The conditions on batches that are found in a range of an index. */
export const conditionsInRange = (filters: BatchFilters): SQL | undefined =>
  and(
    filterConditions(filters),
    // The index by id begins with the contract, so it is read once for each.
    filters.idPrefix && !filters.contractAddress
      ? sql`${batches.contractAddress} in (select address from contracts)`
      : undefined,
  );

/**
 * The conditions on batches that are looked up by key. Filters that contradict each other become one that no batch meets:
 * Postgres would fold them into a constant, and Citus then no longer finds the key.
 */
export function conditionsByKey(filters: BatchFilters): SQL | undefined {
  if (possibleStatuses(filters).length === 0) return lt(batches.seq, 0n);
  return and(filterConditions(filters), filters.overdue ? or(...overdueBranches()) : undefined);
}

export const isOnHold = (): SQL => and(eq(batches.status, "PENDING"), isNotNull(batches.heldAt))!;

export const isAwaitingApproval = (): SQL =>
  and(eq(batches.status, "PENDING"), batches.awaitsApproval.getSQL())!;

/** Pending batches that a finalizer claims when they are due: the range of `batches_due`. */
const isUnblocked = (): SQL =>
  and(eq(batches.status, "PENDING"), isNull(batches.heldAt), not(batches.awaitsApproval))!;

/** Batches due before this time are overdue at an instant: late by more than a running finalizer needs. */
export const overdueBefore = (at: SQL): SQL => sql`${at} - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;

/**
 * Batches that may be overdue: pending ones that nothing blocks, and those that a finalizer has claimed and not settled. Read
 * separately, each is a range of its own index: `batches_due`, and `batches_leased`, which is always small.
 */
export const overdueBranches = (): [unblocked: SQL, claimed: SQL] => [
  isUnblocked(),
  eq(batches.status, "FINALIZING"),
];

export interface Ranges {
  /** Together they have the batches that match. Each is one range of an index by creation. */
  ranges: (SQL | undefined)[];
  /** The filters that the ranges do not answer. */
  others: BatchFilters;
}

/**
 * Batches of some types and statuses are at most eight ranges of `batches_by_status_type`, or of a contract's
 * `batches_by_type_contract_status`, so that no other subset needs an index of its own.
 */
export function rangesByCreation(filters: BatchFilters): Ranges {
  const { contractAddress, pointType, overdue } = filters;
  const statuses = possibleStatuses(filters);
  const isWhole = !pointType && statuses.length === BATCH_STATUSES.length;
  if (isWhole || statuses.length === 0 || (overdue && !contractAddress))
    return { ranges: overdue ? overdueBranches() : [undefined], others: filters };
  const states = overdue ? overdueBranches() : statuses.map((status) => eq(batches.status, status));
  const types = pointType ? [pointType] : POINT_TYPES;
  return {
    ranges: types.flatMap((type) => states.map((state) => and(eq(batches.pointType, type), state))),
    others: { ...filters, pointType: undefined, statuses: overdue ? filters.statuses : undefined },
  };
}

/** A claim takes up to 500 batches, so far fewer than this are claimed at any time. */
const CLAIMED_MAX = 10_000;

/**
 * The due time of the batch that is overdue longest, or null. Includes batches that a finalizer has claimed, but not those
 * on hold. Reads a few rows of two partial indexes.
 */
export const oldestDue = (tx: Sql | TransactionSql) => tx`
  (select min(finalize_at) from (
    (select finalize_at from batches where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()
      order by finalize_at limit 1)
    union all
    (select finalize_at from batches where status = 'FINALIZING' limit ${CLAIMED_MAX})) as late)`;

/** Batches of one uploaded file: a few, each looked up by key. */
const isPartOf = (uploadId: string): SQL => sql`(${batches.contractAddress}, ${batches.seq}) in (
  select contract_address, batch_seq from ${batchUploads} where upload_id = ${uploadId})`;

/** A scalar subquery, so that it is always a lookup by key. */
const valueAt = (key: string): SQL => sql`(select m.value from batch_metadata m
  where m.contract_address = ${batches.contractAddress} and m.batch_seq = ${batches.seq} and m.key = ${key})`;

/** Batches with an entry among the unusual ones, of which only the range of the other filters is read. */
const isUnusual = (filters: BatchFilters): SQL => sql`(${batches.contractAddress}, ${batches.seq}) in (
    select contract_address, batch_seq from ${unusualEntries(filters)}
    and ${timeRange(filters, INDEX_COLUMNS.createdAt) ?? sql`true`})`;

/** Operators are stored with the address checksummed. */
const asStored = (submitter: string) =>
  submitter.replace(
    /^operator:(0x.+)$/,
    (_, address) => `operator:${addressFromBytes(addressToBytes(address))}`,
  );

const isAfter = (time: SQLWrapper, after: string | undefined) =>
  after === undefined ? undefined : sql`${time} > ${boundAfter(after)}::timestamptz`;
const isBefore = (time: SQLWrapper, before: string | undefined) =>
  before === undefined ? undefined : sql`${time} < ${boundBefore(before)}::timestamptz`;

export const timeRange = (
  { createdAfter, createdBefore }: Pick<BatchFilters, "createdAfter" | "createdBefore">,
  createdAt: SQLWrapper = batches.createdAt,
): SQL | undefined => and(isAfter(createdAt, createdAfter), isBefore(createdAt, createdBefore));

/** Batches of ranges that each have the order. Each is read in it and stops at the limit. */
export function inOrder({ ranges, where, columns, column, name, descending, limit }: Ordered): SQL {
  const direction = sql.raw(descending ? "desc" : "asc");
  const [first, ...others] = ranges.map(
    (range) => sql`(select ${columns} from ${batches} where ${and(range, where) ?? sql`true`}
      order by ${column} ${direction}, ${batches.seq} ${direction} limit ${limit})`,
  );
  if (others.length === 0) return first!;
  return sql`${sql.join([first, ...others], sql` union all `)}
    order by ${sql.identifier(name)} ${direction}, seq ${direction} limit ${limit}`;
}

interface Ordered {
  ranges: (SQL | undefined)[];
  where: SQL | undefined;
  columns: SQL;
  column: SQLWrapper;
  /** The column's name among `columns`, which also have `seq`. */
  name: string;
  descending: boolean;
  limit: SQL;
}

/**
 * A list whose filters no index has together: each of the newest batches that an index has, the candidates, is compared.
 * `step` has the columns `created_at`, `contract_address` and, by this name, the sequence number.
 */
export interface Search {
  seq: SQL;
  /** A CTE `step`: up to `most` candidates in order. @param range a condition on its columns */
  step: (range: SQL | undefined, descending: boolean, most: number) => SQL;
  /** A select of columns of the batches of `step`. */
  batchesOf: (columns: SQL, where?: SQL) => SQL;
  /** The condition on batches that the list has. */
  where: SQL | undefined;
}

/** @param by the time in whose order the candidates are @param pair of the metadata, which the candidates have */
export async function searchOf(
  db: Database,
  filters: BatchFilters,
  by: "createdAt" | "finalizedAt" = "createdAt",
  pair = firstPair(filters),
): Promise<Search> {
  if (usesIndexTable(filters)) {
    const table = await indexTableOf(db, filters, pair);
    return {
      seq: sql`batch_seq`,
      step: (range, descending, most) => stepOf(table, { range, descending }, most),
      batchesOf: batchesOfStep,
      where: conditionsByKey(table.others),
    };
  }
  const found = chooseFilters(filters, ({ searched }) => !searched);
  // The index by finalized time has all types together.
  const { ranges, others } =
    by === "createdAt" ? rangesByCreation(found) : { ranges: [undefined], others: found };
  const [column, columns, name] = [batches[by], sql`*`, batches[by].name];
  return {
    seq: sql`seq`,
    step: (range, descending, most) => {
      const where = and(conditionsInRange(others), range);
      return sql`step as materialized (${inOrder({ ranges, where, columns, column, name, descending, limit: sql`${most}` })})`;
    },
    batchesOf: (chosen, where) => sql`select ${chosen} from step as batches where ${where ?? sql`true`}`,
    where: filterConditions(chooseFilters(filters, ({ searched }) => searched)),
  };
}

// Three tables serve as indexes of batches: `recipient_transfers` has those that pay an address, `batch_metadata` those with a key
// and value, `batch_reviews` the unusual ones. A list with one of these filters reads such a table in order of creation, and looks
// up each batch by its key. Joining instead would read all of a busy address's batches for one page.

const INDEX_COLUMNS = { createdAt: sql`created_at`, seq: sql`batch_seq` };

interface IndexTable {
  /** A table with `INDEX_COLUMNS` and `contract_address`, and a condition. */
  entries: SQL;
  /** Batches that it does not have yet. */
  unindexed: readonly UnindexedBatch[];
  /** The filters that it does not answer. */
  others: BatchFilters;
}

async function indexTableOf(
  db: Database,
  { recipient, ...others }: BatchFilters,
  pair: MetadataPair | undefined,
): Promise<IndexTable> {
  if (recipient) {
    const address = addressToBytes(recipient);
    const unindexed = await findUnindexedBatches(db, address);
    return { entries: sql`recipient_transfers where to_address = ${address}`, unindexed, others };
  }
  const { contractAddress: _, ...rest } = unansweredOf(others, pair);
  return { entries: entriesOf(others, pair), unindexed: [], others: rest };
}

type MetadataPair = readonly [key: string, value: string];

const firstPair = ({ metadata = {} }: BatchFilters): MetadataPair | undefined => Object.entries(metadata)[0];

/**
 * The rarest pair of metadata, which the list is then read from; undefined without metadata. Null if fewer batches are in the
 * chosen states: then they are read by these, as the cancelled ones of a campaign that all batches have.
 */
export async function rarestPair(
  db: Database,
  filters: BatchFilters,
): Promise<MetadataPair | undefined | null> {
  const { contractAddress, recipient, metadata = {}, pointType, statuses } = filters;
  const pairs = Object.entries(metadata);
  const hasState = Boolean(pointType ?? statuses?.length);
  if (recipient || pairs.length === 0 || pairs.length + Number(hasState) === 1) return firstPair(filters);
  const tables = pairs.map((pair) => entriesOf({ contractAddress }, pair));
  const ofStates = and(
    contractAddress ? CONDITIONS.contractAddress(contractAddress) : undefined,
    inArray(batches.pointType, pointType ? [pointType] : [...POINT_TYPES]),
    inArray(batches.status, statuses?.length ? statuses : [...BATCH_STATUSES]),
  );
  if (hasState) tables.push(sql`${batches} where ${ofStates}`);
  const counts = tables.map(
    (table) => sql`(select count(*)::int from (select 1 from ${table} limit ${SEARCHED_MAX}) as found)`,
  );
  const [row] = await db.orm.execute<{ counts: number[] }>(
    sql`select json_build_array(${sql.join(counts, sql`, `)}) as counts`,
  );
  return pairs[row!.counts.indexOf(Math.min(...row!.counts))] ?? null;
}

/** What is left to compare in a list that is read from an index table. Of metadata, that table has one pair. */
export function unansweredOf(
  { metadata, unusual, ...filters }: BatchFilters,
  pair = firstPair({ metadata }),
): BatchFilters {
  if (filters.recipient) return { ...filters, metadata, unusual };
  const pairs = Object.entries(metadata ?? {}).filter(([key]) => key !== pair?.[0]);
  return { ...filters, metadata: Object.fromEntries(pairs), unusual: metadata && unusual };
}

function entriesOf(filters: BatchFilters, pair: MetadataPair | undefined): SQL {
  if (!pair) return unusualEntries(filters);
  return sql`batch_metadata where key = ${pair[0]} and value = ${pair[1]} and ${ofContract(filters)}`;
}

const ofContract = ({ contractAddress }: BatchFilters): SQL =>
  contractAddress ? sql`contract_address = ${addressToBytes(contractAddress)}` : sql`true`;

const unusualEntries = (filters: BatchFilters): SQL => sql`batch_reviews where ${ofContract(filters)}`;

interface StepRange {
  range: SQL | undefined;
  descending: boolean;
}

/** CTEs that end in `step`: up to `rowsMost` keys of batches, in order. */
function stepOf({ entries, unindexed }: IndexTable, { range, descending }: StepRange, rowsMost: number): SQL {
  const contracts = `{${unindexed.map(({ contractAddress }) => contractAddress.toString("hex")).join(",")}}`;
  const seqs = `{${unindexed.map(({ seq }) => seq).join(",")}}`;
  const times = `{${unindexed.map(({ createdAt }) => `"${createdAt}"`).join(",")}}`;
  const order = sql.raw(descending ? "desc" : "asc");
  const within = range ?? sql`true`;
  return sql`step as materialized (
      (select created_at, batch_seq, contract_address from ${entries} and ${within} order by created_at ${order}, batch_seq ${order} limit ${rowsMost})
      union all
      select created_at, batch_seq, contract_address from (
        select at as created_at, n as batch_seq, decode(contract, 'hex') as contract_address
        from unnest(${times}::text::timestamptz[], ${seqs}::text::bigint[], ${contracts}::text::text[]) as f (at, n, contract)
      ) as newer where ${within}
      order by created_at ${order}, batch_seq ${order} limit ${rowsMost}
    )`;
}

/** A select of columns of the batches of `step`. GROUP BY makes it a lookup by key. */
const batchesOfStep = (columns: SQL, where?: SQL): SQL => sql`
  select b.* from step cross join lateral (
    select ${columns} from batches
    where contract_address = step.contract_address and seq = step.batch_seq and ${where ?? sql`true`}
    group by contract_address, seq
  ) b`;

interface Edge {
  createdAt: string;
  seq: string;
}

interface StepRow extends ListedBatch, Record<string, unknown> {
  searched: number;
  edgeAt: string;
  edgeSeq: string;
}

/**
 * Columns of the batches that match, in order of creation, found in steps. A step without a match is one row of nulls with its
 * edge, and one at the end of the index has no row.
 */
export function readSearch(
  ctx: ServiceContext,
  { seq, step: stepOf, batchesOf, where }: Search,
  { range, descending, columns, rowsLeast }: StepRange & { columns: SQL; rowsLeast: number },
) {
  const [order, back] = descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  return searchInSteps<ListedBatch, Edge>(ctx, null, rowsLeast, async (edge, entriesMost) => {
    const after =
      edge &&
      sql`(created_at, ${seq}) ${sql.raw(descending ? "<" : ">")} (${edge.createdAt}::timestamptz, ${edge.seq}::bigint)`;
    const rest = sql`${range ?? sql`true`} and ${after ?? sql`true`}`;
    const rows = await ctx.db.orm.execute<StepRow>(sql`
      with ${stepOf(rest, descending, entriesMost)}, edge as materialized (
        select created_at, ${seq} as seq, (select count(*)::int from step) as searched from step
        order by created_at ${back}, ${seq} ${back} limit 1
      ), found as materialized (${batchesOf(columns, where)})
      select e.searched, e.created_at as "edgeAt", e.seq as "edgeSeq", f.* from edge e left join found f on true
      order by f."createdAt" ${order}, f.seq ${order}`);
    const [{ searched, edgeAt, edgeSeq } = { searched: 0, edgeAt: "", edgeSeq: "" }] = rows;
    return {
      rows: rows.filter(({ id }) => id !== null),
      searched,
      edge: { createdAt: edgeAt, seq: edgeSeq },
    };
  });
}
