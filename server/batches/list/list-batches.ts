import { and, eq, gte, inArray, isNotNull, lt, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { batchUploads } from "@/db/schema/uploads";
import type { ServiceContext } from "../../kernel/context";
import { type CursorPosition, decodeCursor, encodeCursor } from "../../kernel/cursor";
import { readList } from "../../kernel/read-list";
import { addressKey } from "../../kernel/values/address-text";
import { addressFromBytes, addressToBytes } from "../../kernel/values/addresses";
import { type ListedBatch, toTimestamp } from "../../kernel/values/batch-rows";
import { LIST_LIMIT_DEFAULT } from "../../kernel/values/batch-schema";
import { boundAfter, boundBefore } from "../../kernel/values/instant-bounds";
import { POINT_TYPES } from "../../kernel/values/point-types";
import { DomainError } from "../../kernel/values/problems";
import { creationHorizon } from "../../ledger/creation-order";
import { type FreshBatch, findFreshBatches } from "../../recipients/find-fresh";
import type { BatchFilters } from "./console-schema";
import { isOverdue, isUnblocked, overdueBranches } from "./overdue";
import { possibleStatuses } from "./possible-statuses";
import { readPage } from "./read-page";
import { INDEX_PLACE, ofRecipient, ofReviews, walkIndex } from "./walk-index";

/** By creation time. `list-sorted.ts` has the console's other orders. */
export type BatchSort = "ASC" | "DESC";

export interface BatchQuery extends BatchFilters {
  sort?: BatchSort | undefined;
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

export interface BatchPage {
  rows: ListedBatch[];
  /** Null on the last page. */
  cursor: string | null;
}

/**
 * One page of batches by time and sequence number, with all filters ANDed. The statement is built per combination of
 * filters, so that each reads one range of one index (db/schema/batches.ts).
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listBatches(ctx: ServiceContext, query: BatchQuery): Promise<BatchPage> {
  const sort = query.sort ?? "DESC";
  const limit = query.limit ?? LIST_LIMIT_DEFAULT;
  const scope = listScope(query, sort);
  const after = typeof query.cursor === "string" ? readCursor(query.cursor, scope) : undefined;
  const contract = query.contractAddress ? addressToBytes(query.contractAddress) : undefined;
  const horizon = sort === "ASC" ? await creationHorizon(ctx.db, contract) : null;
  const place = walksIndex(query) ? INDEX_PLACE : batches;
  const range = and(
    timeRange(query, sort, after, place),
    horizon ? sql`${place.createdAt} < ${horizon}::timestamptz` : undefined,
  );
  if (walksIndex(query)) return readList(ctx, (db) => walkedPage(db, query, { sort, limit, range, scope }));
  const readRows = async (db: Database) =>
    readPage(db, {
      where: and(filterConditions(query, await freshFor(db, query)), range),
      branches: query.overdue ? overdueBranches() : undefined,
      descending: sort === "DESC",
      rowsLeast: limit + 1,
      prepare: isOneRange(query),
    });
  // The primary's clock decides what is due.
  const rows = query.overdue ? await readRows(ctx.db) : await readList(ctx, readRows);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last;
  return { rows: page, cursor: more ? cursorAt(last.createdAt, last.seq, scope) : null };
}

const cursorAt = (at: string, seq: string, scope: string) =>
  encodeCursor({ atMs: Date.parse(toTimestamp(at)), seq: BigInt(seq) }, scope);

/** The indexes of recipients and of unusual batches have creation times. */
export const walksIndex = ({ recipient, unusual }: BatchFilters) =>
  recipient !== undefined || unusual === true;

/** The index that a list or its counts walk, and the filters that it does not answer. */
export function walkOf({ recipient, ...others }: BatchFilters) {
  if (recipient) return { entries: ofRecipient(addressToBytes(recipient)), others };
  const { contractAddress, unusual: _, ...rest } = others;
  return { entries: ofReviews(contractAddress ? addressToBytes(contractAddress) : undefined), others: rest };
}

/** A page of the batches of an index. May be short, even empty, and still have a cursor: see `walkIndex`. */
async function walkedPage(
  db: Database,
  query: BatchQuery,
  { sort, limit, range, scope }: { sort: BatchSort; limit: number; range: SQL | undefined; scope: string },
): Promise<BatchPage> {
  const { entries, others } = walkOf(query);
  const { rows, searchedTo } = await walkIndex(db, {
    entries,
    fresh: await freshFor(db, query),
    where: conditionsByKey(others),
    range,
    descending: sort === "DESC",
    rowsLeast: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : searchedTo;
  return { rows: page, cursor: last && cursorAt(last.createdAt, last.seq, scope) };
}

/**
 * Whether a page is one range of one index for any values. Other lists are planned on every call, since a generic plan
 * could read the whole table for a few rows.
 */
const isOneRange = (query: BatchQuery) => query.contractAddress !== undefined && !isSearch(query);
const isSearch = (query: BatchQuery) =>
  SEARCHES.some((name) => query[name]) || (query.statuses && query.statuses.length > 1);
const SEARCHES = [
  "recipient",
  "idPrefix",
  "minimumPoints",
  "overdue",
  "held",
  "awaitingApproval",
  "unblocked",
  "unusual",
  "submittedBy",
  "dueAfter",
  "dueBefore",
  "finalizedAfter",
  "finalizedBefore",
  "uploadId",
] as const;

/** Batches too new for the recipient index, which a filter by recipient needs in addition. */
export const freshFor = async (db: Database, { recipient }: BatchFilters): Promise<FreshBatch[]> =>
  recipient ? findFreshBatches(db, addressToBytes(recipient)) : [];

/**
 * All filters except creation time, as conditions. `overdue` also needs one of its branches. `fresh` must come from
 * `freshFor`. `now` is the database's clock when absent.
 */
export function filterConditions(
  filters: BatchFilters,
  fresh: readonly FreshBatch[],
  now?: SQL,
): SQL | undefined {
  const { contractAddress, statuses, pointType, idPrefix, minimumPoints, overdue, held, unusual, recipient } =
    filters;
  const { submittedBy, uploadId, awaitingApproval, unblocked } = filters;
  return and(
    contractAddress ? eq(batches.contractAddress, addressToBytes(contractAddress)) : undefined,
    statuses?.length === 1 ? eq(batches.status, statuses[0]!) : undefined,
    statuses && statuses.length > 1 ? inArray(batches.status, statuses) : undefined,
    // The index by amount begins with the type.
    pointType && eq(batches.pointType, pointType),
    minimumPoints && !pointType ? inArray(batches.pointType, [...POINT_TYPES]) : undefined,
    idPrefix ? sql`${batches.id} ^@ ${idPrefix}` : undefined,
    minimumPoints ? gte(batches.points, minimumPoints) : undefined,
    overdue ? isOverdue(now) : undefined,
    held ? and(eq(batches.status, "PENDING"), isNotNull(batches.heldAt)) : undefined,
    awaitingApproval ? isAwaitingApproval() : undefined,
    unblocked ? isUnblocked() : undefined,
    submittedBy ? eq(batches.submittedBy, asStored(submittedBy)) : undefined,
    within(batches.finalizeAt, filters.dueAfter, filters.dueBefore),
    filters.finalizedAfter || filters.finalizedBefore
      ? and(
          eq(batches.status, "FINALIZED"),
          within(batches.finalizedAt, filters.finalizedAfter, filters.finalizedBefore),
        )
      : undefined,
    unusual ? isUnusual(filters) : undefined,
    recipient ? paysRecipient(addressToBytes(recipient), fresh) : undefined,
    uploadId ? isPartOf(uploadId) : undefined,
  );
}

/**
 * The conditions on batches that are looked up by key. Filters that contradict each other become one that no batch meets:
 * Postgres would fold them into a constant, and Citus then no longer finds the key.
 */
export function conditionsByKey(filters: BatchFilters, now?: SQL): SQL | undefined {
  if (possibleStatuses(filters).length === 0) return lt(batches.seq, 0n);
  return and(filterConditions(filters, [], now), filters.overdue ? or(...overdueBranches()) : undefined);
}

/** A range of `batches_awaiting_approval`. */
export const isAwaitingApproval = (): SQL =>
  and(eq(batches.status, "PENDING"), batches.awaitsApproval.getSQL())!;

/** Batches of one uploaded file: a few, each looked up by key. */
const isPartOf = (uploadId: string): SQL => sql`(${batches.contractAddress}, ${batches.seq}) in (
  select contract_address, batch_seq from ${batchUploads} where upload_id = ${uploadId})`;

/** Operators are stored with the address checksummed. */
const asStored = (submitter: string) =>
  submitter.replace(
    /^operator:(0x.+)$/,
    (_, address) => `operator:${addressFromBytes(addressToBytes(address))}`,
  );

/** Exclusive bounds on a time. */
function within(time: SQLWrapper, after: string | undefined, before: string | undefined): SQL | undefined {
  const [since, until] = [boundAfter(after), boundBefore(before)];
  return and(
    since === null ? undefined : sql`${time} > ${since}::timestamptz`,
    until === null ? undefined : sql`${time} < ${until}::timestamptz`,
  );
}

/** Batches with an entry among the unusual ones, of which only the range of the other filters is read. */
function isUnusual(filters: BatchFilters): SQL {
  const { contractAddress } = filters;
  const range = timeRange(filters, "DESC", undefined, INDEX_PLACE) ?? sql`true`;
  return sql`(${batches.contractAddress}, ${batches.seq}) in (
    select contract_address, batch_seq from ${ofReviews(contractAddress ? addressToBytes(contractAddress) : undefined)} and ${range})`;
}

/** Batches that pay an address: those in the recipient index, and the few that are newer than the index. */
function paysRecipient(address: Buffer, fresh: readonly FreshBatch[]): SQL {
  const contracts = `{${fresh.map(({ contractAddress }) => contractAddress.toString("hex")).join(",")}}`;
  const seqs = `{${fresh.map(({ seq }) => seq).join(",")}}`;
  return sql`(${batches.contractAddress}, ${batches.seq}) in (
    select contract_address, batch_seq from recipient_transfers where to_address = ${address}
    union all
    select decode(contract, 'hex'), seq from unnest(${contracts}::text::text[], ${seqs}::text::bigint[]) as f (contract, seq))`;
}

/** The exclusive bounds on creation time. A cursor by creation time replaces the bound on its side. */
export function timeRange(
  query: BatchFilters,
  sort: BatchSort,
  after?: CursorPosition,
  { createdAt: created, seq }: { createdAt: SQLWrapper; seq: SQLWrapper } = batches,
): SQL | undefined {
  const position = after && sql`(${new Date(after.atMs).toISOString()}::timestamptz, ${after.seq}::bigint)`;
  const lower = within(created, query.createdAfter, undefined);
  const upper = within(created, undefined, query.createdBefore);
  if (!position) return and(lower, upper);
  return sort === "ASC"
    ? and(sql`(${created}, ${seq}) > ${position}`, upper)
    : and(lower, sql`(${created}, ${seq}) < ${position}`);
}

/** A list's filters and sort as one string, for its cursors. */
export function listScope(query: Omit<BatchQuery, "sort">, sort: string): string {
  const { cursor, limit, sort: _, ...filters } = query as BatchQuery;
  const entries = Object.entries({ ...filters, sort })
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name}=${/Address|recipient/.test(name) ? addressKey(String(value)) : String(value)}`,
    );
  return entries.sort().join("&");
}

function readCursor(cursor: string, scope: string): CursorPosition {
  return validCursor(decodeCursor(cursor, scope));
}

/** @throws DomainError `invalid_cursor`, `cursor_mismatch` */
export function validCursor<Position extends object>(position: Position | "invalid" | "mismatch"): Position {
  if (position === "invalid")
    throw new DomainError("invalid_cursor", "The cursor is truncated or was modified.");
  if (position === "mismatch") {
    throw new DomainError(
      "cursor_mismatch",
      "The cursor was issued for a different contract, filter or sort.",
    );
  }
  return position;
}
