import { and, type SQL, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "../../kernel/context";
import { decodeCursor, encodeCursor, validCursor } from "../../kernel/cursor";
import { addressKey } from "../../kernel/values/address-text";
import { addressToBytes } from "../../kernel/values/addresses";
import { type ListedBatch, toTimestamp } from "../../kernel/values/batch-rows";
import { LIST_LIMIT_DEFAULT } from "../../kernel/values/batch-schema";
import { creationHorizon } from "../../ledger/creation-order";
import type { BatchFilters } from "./console-schema";
import { conditionsByKey, filterConditions, hasOnly, overdueBranches, timeRange } from "./filter-conditions";
import { INDEX_COLUMNS, indexTableOf, readIndexTable, usesIndexTable } from "./index-table";
import { readPage } from "./read-page";

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
 * filters, so that each reads one range of one index (db/schema/batches.ts). A page from an index table may be short, even
 * empty, and still have a cursor.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listBatches(ctx: ServiceContext, query: BatchQuery): Promise<BatchPage> {
  const { sort = "DESC", limit = LIST_LIMIT_DEFAULT, cursor, ...filters } = query;
  const scope = listScope(filters, sort);
  const after = typeof cursor === "string" ? validCursor(decodeCursor(cursor, scope)) : undefined;
  const contract = filters.contractAddress ? addressToBytes(filters.contractAddress) : undefined;
  const horizon = sort === "ASC" ? await creationHorizon(ctx.db, contract) : null;
  const columns = usesIndexTable(filters) ? INDEX_COLUMNS : batches;
  const range = and(
    timeRange(filters, sort, after, columns),
    horizon ? sql`${columns.createdAt} < ${horizon}::timestamptz` : undefined,
  );
  const read = usesIndexTable(filters) ? readFromIndexTable : readFromBatches;
  const reading = { range, descending: sort === "DESC", rowsLeast: limit + 1 };
  const { rows, searchedTo } = await read(ctx.db, filters, reading);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : searchedTo;
  const position = last && { atMs: Date.parse(toTimestamp(last.createdAt)), seq: BigInt(last.seq) };
  return { rows: page, cursor: position && encodeCursor(position, scope) };
}

interface Reading {
  range: SQL | undefined;
  descending: boolean;
  rowsLeast: number;
}

async function readFromIndexTable(db: Database, filters: BatchFilters, reading: Reading) {
  const table = await indexTableOf(db, filters);
  return await readIndexTable(db, table, reading, conditionsByKey(table.others), reading.rowsLeast);
}

async function readFromBatches(db: Database, filters: BatchFilters, { range, ...reading }: Reading) {
  const rows = await readPage(db, {
    ...reading,
    where: and(filterConditions(filters), range),
    branches: filters.overdue ? overdueBranches() : undefined,
    prepare: isOneRange(filters),
  });
  return { rows, searchedTo: null };
}

/**
 * Whether a page is one range of one index for any values. Other lists are planned on every call, since a generic plan
 * could read the whole table for a few rows.
 */
const isOneRange = (filters: BatchFilters) =>
  filters.contractAddress !== undefined &&
  (filters.statuses?.length ?? 0) <= 1 &&
  hasOnly(filters, "contractAddress", "statuses", "pointType", "createdAfter", "createdBefore");

/** A list's filters and sort as one string, for its cursors. */
export function listScope(filters: BatchFilters, sort: string): string {
  const entries = Object.entries({ ...filters, sort })
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name}=${/Address|recipient/.test(name) ? addressKey(String(value)) : String(value)}`,
    );
  return entries.sort().join("&");
}
