import { and, eq, gte, inArray, isNotNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "../../kernel/context";
import { type CursorPosition, decodeCursor, encodeCursor } from "../../kernel/cursor";
import { readList } from "../../kernel/read-list";
import { addressKey } from "../../kernel/values/address-text";
import { addressToBytes } from "../../kernel/values/addresses";
import { type ListedBatch, toTimestamp } from "../../kernel/values/batch-rows";
import { LIST_LIMIT_DEFAULT } from "../../kernel/values/batch-schema";
import { boundAfter, boundBefore } from "../../kernel/values/instant-bounds";
import { DomainError } from "../../kernel/values/problems";
import { creationHorizon } from "../../ledger/creation-order";
import { type FreshBatch, findFreshBatches } from "../../recipients/find-fresh";
import type { BatchFilters } from "./console-schema";
import { isOverdue, overdueBranches } from "./overdue";
import { readPage } from "./read-page";
import { INDEX_PLACE, walkRecipient } from "./walk-recipient";

/** By creation time, or `DUE`: longest due first, for overdue batches. */
export type BatchSort = "ASC" | "DESC" | "DUE";

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
  const place = walksRecipient(query) ? INDEX_PLACE : batches;
  const range = and(
    timeRange(query, sort, after, place),
    horizon ? sql`${place.createdAt} < ${horizon}::timestamptz` : undefined,
  );
  if (walksRecipient(query))
    return readList(ctx, (db) => recipientPage(db, query, { sort, limit, range, scope }));
  const readRows = async (db: Database) =>
    readPage(db, {
      where: and(filterConditions(query, await freshFor(db, query)), range),
      branches: query.overdue ? overdueBranches() : undefined,
      order: { by: sort === "DUE" ? "finalizeAt" : "createdAt", descending: sort === "DESC" },
      rowsLeast: limit + 1,
      prepare: isOneRange(query),
    });
  // The primary's clock decides what is due.
  const rows = query.overdue ? await readRows(ctx.db) : await readList(ctx, readRows);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last;
  return { rows: page, cursor: more ? cursorAt(sortTimeOf(last, sort), last.seq, scope) : null };
}

const cursorAt = (at: string, seq: string, scope: string) =>
  encodeCursor({ atMs: Date.parse(toTimestamp(at)), seq: BigInt(seq) }, scope);

/** The recipient index has creation times, so it can be read in any order but that of due times. */
const walksRecipient = (query: BatchQuery) => query.recipient !== undefined && query.sort !== "DUE";

/** A page of the batches that pay an address. May be short, even empty, and still have a cursor: see `walkRecipient`. */
async function recipientPage(
  db: Database,
  query: BatchQuery,
  { sort, limit, range, scope }: { sort: BatchSort; limit: number; range: SQL | undefined; scope: string },
): Promise<BatchPage> {
  const { recipient, ...others } = query;
  const { rows, searchedTo } = await walkRecipient(db, {
    address: addressToBytes(recipient!),
    fresh: await freshFor(db, query),
    where: and(filterConditions(others, []), query.overdue ? or(...overdueBranches()) : undefined),
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
const isSearch = ({ recipient, idPrefix, minimumPoints, overdue, held, statuses }: BatchQuery) =>
  Boolean(recipient || idPrefix || minimumPoints || overdue || held || (statuses && statuses.length > 1));

const sortTimeOf = (row: ListedBatch, sort: BatchSort) => (sort === "DUE" ? row.finalizeAt : row.createdAt);

/** Batches too new for the recipient index, which a filter by recipient needs in addition. */
export const freshFor = async (db: Database, { recipient }: BatchFilters): Promise<FreshBatch[]> =>
  recipient ? findFreshBatches(db, addressToBytes(recipient)) : [];

/**
 * All filters except time, as conditions. `overdue` also needs one of its branches. `fresh` must come from `freshFor`. `now`
 * is the database's clock when absent.
 */
export function filterConditions(
  filters: BatchFilters,
  fresh: readonly FreshBatch[],
  now?: SQL,
): SQL | undefined {
  const { contractAddress, statuses, pointType, idPrefix, minimumPoints, overdue, held, recipient } = filters;
  return and(
    contractAddress ? eq(batches.contractAddress, addressToBytes(contractAddress)) : undefined,
    statuses?.length === 1 ? eq(batches.status, statuses[0]!) : undefined,
    statuses && statuses.length > 1 ? inArray(batches.status, statuses) : undefined,
    pointType && eq(batches.pointType, pointType),
    idPrefix ? sql`${batches.id} ^@ ${idPrefix}` : undefined,
    minimumPoints ? gte(batches.points, minimumPoints) : undefined,
    overdue ? isOverdue(now) : undefined,
    held ? and(eq(batches.status, "PENDING"), isNotNull(batches.heldAt)) : undefined,
    recipient ? paysRecipient(addressToBytes(recipient), fresh) : undefined,
  );
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
  const since = boundAfter(query.createdAfter);
  const until = boundBefore(query.createdBefore);
  const position = after && sql`(${new Date(after.atMs).toISOString()}::timestamptz, ${after.seq}::bigint)`;
  const lower = since === null ? undefined : sql`${created} > ${since}::timestamptz`;
  const upper = until === null ? undefined : sql`${created} < ${until}::timestamptz`;
  if (!position) return and(lower, upper);
  if (sort === "DUE") return and(lower, upper, sql`(${batches.finalizeAt}, ${seq}) > ${position}`);
  return sort === "ASC"
    ? and(sql`(${created}, ${seq}) > ${position}`, upper)
    : and(lower, sql`(${created}, ${seq}) < ${position}`);
}

function listScope(query: BatchQuery, sort: string): string {
  const { cursor, limit, sort: _, ...filters } = query;
  const entries = Object.entries({ ...filters, sort })
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name}=${/Address|recipient/.test(name) ? addressKey(String(value)) : String(value)}`,
    );
  return entries.sort().join("&");
}

function readCursor(cursor: string, scope: string): CursorPosition {
  const position = decodeCursor(cursor, scope);
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
