import type { ServiceContext } from "../context";
import type { BatchFilters, ConsoleBatch } from "./console-schema";
import { listConsoleBatches } from "./list-console-batches";
import { LIST_LIMIT_MAX } from "./schema";

/** Exactly the filtered batches, newest first, a page at a time: memory does not grow with their number. */
export async function* exportBatches(
  ctx: ServiceContext,
  filters: BatchFilters,
): AsyncGenerator<ConsoleBatch[], void, undefined> {
  let cursor: string | null = null;
  do {
    const page = await listConsoleBatches(ctx, { ...filters, limit: LIST_LIMIT_MAX, cursor });
    if (page.batches.length > 0) yield page.batches;
    cursor = page.cursor;
  } while (cursor);
}
