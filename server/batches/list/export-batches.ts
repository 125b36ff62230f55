import type { ServiceContext } from "../../kernel/context";
import { allPages } from "../../kernel/cursor";
import type { BatchFilters, ConsoleBatch, ExportedBatch } from "./console-schema";
import { usesIndexTable } from "./index-table";
import { listConsoleBatches } from "./list-console-batches";
import { SORTED_MAX, sortsWhole } from "./list-sorted";
import { withOutcomes } from "./read-outcomes";
import { LIST_SORTS, type ListSort } from "./sorts";

const PAGE_ROWS = 1000;

/**
 * Streams all filtered batches, one page at a time, so that memory stays bounded. In the list's order, unless more match than
 * the list sorts: then by a time that an index has, since an export leaves nothing out.
 */
export async function* exportBatches(
  ctx: ServiceContext,
  filters: BatchFilters,
  sort: ListSort = "DESC",
): AsyncGenerator<ExportedBatch[], void, undefined> {
  const outcomes = (page: ConsoleBatch[]) => withOutcomes(ctx.db, page);
  const isWhole = sortsWhole(filters, sort);
  if (!isWhole) {
    // In one page, because the next one would sort again what has changed in the meantime.
    const page = await listConsoleBatches(ctx, { ...filters, sort, limit: SORTED_MAX });
    if (page.sortedAmong === null && page.cursor === null) return yield await outcomes(page.batches);
  }
  const order = isWhole ? sort : timeOrder(filters, sort);
  const pages = allPages((cursor: string | null) =>
    listConsoleBatches(ctx, { ...filters, sort: order, whole: true, limit: PAGE_ROWS, cursor }),
  );
  for await (const { batches } of pages) if (batches.length > 0) yield await outcomes(batches);
}

/** An order in which all batches can be read page by page: the given one, if it is by the time that the filters find batches by. */
function timeOrder(filters: BatchFilters, sort: ListSort): ListSort {
  const keep = (by: (typeof LIST_SORTS)[ListSort]["by"], otherwise: ListSort) =>
    LIST_SORTS[sort].by === by ? sort : otherwise;
  if (usesIndexTable(filters)) return keep("createdAt", "DESC");
  if (filters.finalizedAfter || filters.finalizedBefore) return keep("finalizedAt", "FINALIZED_DESC");
  return filters.dueAfter || filters.dueBefore ? keep("finalizeAt", "DUE_DESC") : keep("createdAt", "DESC");
}
