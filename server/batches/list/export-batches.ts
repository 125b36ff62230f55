import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { allPages } from "@/server/kernel/cursor";
import { type BatchFilters, COUNT_MAX, LIST_SORTS, type ListSort } from "@/terms/filters";
import type { ConsoleBatch } from "./console-schema";
import { readMetadata } from "./get-batch";
import { listBatches, sortsWhole } from "./list-batches";
import { toConsoleBatches } from "./list-console-batches";
import { type BatchOutcome, OUTCOME_NAMES, type SortedRow } from "./listed-rows";
import { latestOf } from "./plan";

/** For the console, with how each batch ended, or who has it on hold. */
export type ExportedBatch = ConsoleBatch & BatchOutcome;

const PAGE_ROWS = 1000;

/**
 * Streams all filtered batches, one page at a time, so that memory stays bounded. In the list's order, unless
 * more match than the list sorts: then by a time that an index has, since an export leaves nothing out.
 */
export async function* exportBatches(
  ctx: ServiceContext,
  filters: BatchFilters,
  sort: ListSort = "DESC",
): AsyncGenerator<ExportedBatch[], void, undefined> {
  const isWhole = sortsWhole(filters, sort);
  if (!isWhole) {
    // In one page, because the next one would sort again what has changed in the meantime.
    const page = await listBatches(ctx, { ...filters, sort, limit: COUNT_MAX, outcome: true });
    if (page.sortedAmong === null && page.cursor === null) return yield await toExported(ctx, page.rows);
  }
  const order = isWhole ? sort : inTime(filters, sort);
  const pages = allPages((cursor: string | null) =>
    listBatches(ctx, { ...filters, sort: order, whole: true, limit: PAGE_ROWS, cursor, outcome: true }),
  );
  for await (const { rows } of pages) if (rows.length > 0) yield await toExported(ctx, rows);
}

/**
 * An order in which all batches are read page by page: the given one, if it is by the time that the filters
 * find batches by.
 */
function inTime(filters: BatchFilters, sort: ListSort): ListSort {
  const { time } = latestOf(filters);
  if (LIST_SORTS[sort].by === time) return sort;
  return ({ createdAt: "DESC", finalizeAt: "DUE_DESC", finalizedAt: "FINALIZED_DESC" } as const)[time];
}

async function toExported(ctx: ServiceContext, rows: SortedRow[]): Promise<ExportedBatch[]> {
  const [batches, metadata] = await Promise.all([
    toConsoleBatches(ctx, rows, false),
    readMetadata(ctx, rows),
  ]);
  return batches.map((batch, at) => {
    const outcome = withTimes(outcomeOf(rows[at]!), "finalizedAt", "cancelledAt", "approvedAt");
    // A batch that was cancelled on hold still has these.
    return {
      ...batch,
      metadata: metadata.get(BigInt(rows[at]!.seq)),
      ...outcome,
      ...(batch.heldAt === null && { heldBy: null }),
    };
  });
}

const outcomeOf = (row: SortedRow) =>
  Object.fromEntries(OUTCOME_NAMES.map((name) => [name, row[name]])) as unknown as BatchOutcome;
