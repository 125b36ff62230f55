import type { ServiceContext } from "../../kernel/context";
import { readList } from "../../kernel/read-list";
import { LIST_LIMIT_MAX } from "../../kernel/values/batch-schema";
import type { BatchFilters, ConsoleBatch, ConsoleListInput, ExportedBatch } from "./console-schema";
import { usesIndexTable } from "./index-table";
import { listConsoleBatches } from "./list-console-batches";
import { SORTED_MAX, sortsWhole } from "./list-sorted";
import { withOutcomes } from "./read-outcomes";
import type { ListSort } from "./sorts";

/**
 * Streams all filtered batches, one page at a time, so that memory stays bounded. In list order, unless more match than the
 * list sorts: then the latest first.
 */
export async function* exportBatches(
  ctx: ServiceContext,
  filters: BatchFilters & Pick<ConsoleListInput, "sort">,
): AsyncGenerator<ExportedBatch[], void, undefined> {
  const listed = filters.sort ?? "DESC";
  const outcomes = (page: ConsoleBatch[]) => readList(ctx, (db) => withOutcomes(db, page));
  if (!sortsWhole(filters, listed)) {
    const page = await listConsoleBatches(ctx, { ...filters, sort: listed, limit: SORTED_MAX });
    if (page.sortedAmong === null) return yield await outcomes(page.batches);
  }
  const sort = exportSort(filters, listed);
  let cursor: string | null = null;
  do {
    const page = await listConsoleBatches(ctx, {
      ...filters,
      sort,
      whole: true,
      limit: LIST_LIMIT_MAX,
      cursor,
    });
    if (page.batches.length > 0) yield await outcomes(page.batches);
    cursor = page.cursor;
  } while (cursor);
}

/** An order in which all batches can be read page by page. */
function exportSort(filters: BatchFilters, sort: ListSort): ListSort {
  if (sortsWhole(filters, sort)) return sort;
  if (usesIndexTable(filters)) return "DESC";
  if (filters.finalizedAfter || filters.finalizedBefore) return "FINALIZED_DESC";
  return filters.dueAfter || filters.dueBefore ? "DUE_DESC" : "DESC";
}
