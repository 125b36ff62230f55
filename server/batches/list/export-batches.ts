import type { ServiceContext } from "../../kernel/context";
import { LIST_LIMIT_MAX } from "../../kernel/values/batch-schema";
import type { BatchFilters, ConsoleBatch, ConsoleListInput } from "./console-schema";
import { listConsoleBatches } from "./list-console-batches";

/** Streams the filtered batches in list order, one page at a time, so that memory stays constant. */
export async function* exportBatches(
  ctx: ServiceContext,
  filters: BatchFilters & Pick<ConsoleListInput, "sort">,
): AsyncGenerator<ConsoleBatch[], void, undefined> {
  let cursor: string | null = null;
  do {
    const page = await listConsoleBatches(ctx, { ...filters, limit: LIST_LIMIT_MAX, cursor });
    if (page.batches.length > 0) yield page.batches;
    cursor = page.cursor;
  } while (cursor);
}
