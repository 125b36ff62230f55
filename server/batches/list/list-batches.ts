import type { ServiceContext } from "@/server/kernel/context";
import { type CursorScope, decodeNumbers, encodeNumbers, SEQ_MAX } from "@/server/kernel/cursor";
import { isDistributed } from "@/server/kernel/shards";
import { addressKey } from "@/terms/address-text";
import { LIST_LIMIT_DEFAULT } from "@/terms/batch-schema";
import { sortedMetadata } from "@/terms/batch-terms";
import { type BatchFilters, COUNT_MAX, LIST_SORTS, type ListSort } from "@/terms/filters";
import { type Edge, KEYS, type Position, type Read, type Reading } from "./listed-rows";
import { planOf } from "./plan";
import { readEntries } from "./read-entries";
import { readLatest } from "./read-latest";
import { readContract, readRanges } from "./read-ranges";

export interface BatchQuery extends BatchFilters {
  sort?: ListSort | undefined;
  limit?: number | undefined;
  cursor?: string | null | undefined;
  /** Reads all that match in index order, however many have to be skipped. For exports. */
  whole?: boolean;
  /** Also reads how each batch ended, or who has it on hold. For exports. */
  withOutcome?: boolean;
}

/**
 * One page of batches, with all filters ANDed, read as its plan says (plan.ts). A page that is searched for
 * may be short, even empty, and still have a cursor.
 * @throws DomainError `invalid_cursor`, `cursor_mismatch`
 */
export async function listBatches(ctx: ServiceContext, query: BatchQuery) {
  const { sort = "DESC", limit = LIST_LIMIT_DEFAULT, cursor, whole, withOutcome = false, ...filters } = query;
  const { by } = LIST_SORTS[sort];
  let plan = planOf(filters, sort, whole);
  // Citus finds the shard by the contract in the statement, which a kept one does not have.
  if (plan.read === "contract" && (await isDistributed(ctx.db))) plan = { ...plan, read: "ranges" };
  // The cursors of the API have no `top`.
  const hasTop = by !== "createdAt" || plan.read === "latest";
  const maxima = [KEYS[by].max, SEQ_MAX, ...(hasTop ? [SEQ_MAX] : [])];
  const scope = listScope(filters, whole ? `${sort} whole` : sort);
  const after = typeof cursor === "string" ? positionOf(cursor, scope, maxima) : undefined;
  const reading: Reading = { filters, sort, after, rowsLeast: limit + 1, withOutcome };
  const found: Read = plan.ranges.length > 0 ? await READERS[plan.read](ctx, plan, reading) : { rows: [] };
  const { rows, searchedTo = null, sorted } = found;
  const page = rows.slice(0, limit);
  const last: Edge | null = rows.length > limit ? page.at(-1)! : searchedTo;
  const position = last && [KEYS[by].read(String(last[by])), BigInt(last.seq)];
  if (position && hasTop) position.push(after?.top ?? sorted?.top ?? 0n);
  return {
    rows: page,
    /** Null on the last page. */
    cursor: position && encodeNumbers(position, scope),
    /** The number of batches that were sorted, if more may match; null if all were. */
    sortedAmong: sorted && sorted.count > COUNT_MAX ? COUNT_MAX : null,
  };
}

const READERS = { contract: readContract, ranges: readRanges, entries: readEntries, latest: readLatest };

function positionOf(cursor: string, scope: CursorScope, maxima: readonly bigint[]): Position {
  const [key, seq, top = 0n] = decodeNumbers(cursor, scope, maxima);
  return { key: key!, seq: seq!, top };
}

/** Whether the list is sorted whole, however many batches match. */
export const sortsWhole = (filters: BatchFilters, sort: ListSort): boolean =>
  planOf(filters, sort).read !== "latest";

/** A list's filters and sort as one string, for its cursors. */
export function listScope(filters: BatchFilters, sort: string): CursorScope {
  const entries = Object.entries({ ...filters, sort })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = name === "metadata" ? JSON.stringify(sortedMetadata(filters.metadata)) : String(value);
      return `${name}=${/Address|recipient/.test(name) ? addressKey(text) : text}`;
    });
  return entries.sort().join("&");
}
