import { BATCHES_PATH } from "./paths.ts";
import { allPages, readOfContract } from "./read-contract.ts";
import type { Batch, ListQuery } from "./shapes.ts";
import type { CallOptions, ClientContext } from "./transport.ts";

export interface BatchPage {
  batches: Batch[];
  /** For the next page, with the same query; null on the last. */
  cursor: string | null;
}

/**
 * One page of a contract's batches.
 * @throws ApiProblem `cursor_mismatch`, …; ConnectionFailure, UnexpectedReply
 */
export async function listBatches(
  ctx: ClientContext,
  query: ListQuery = {},
  options?: CallOptions,
): Promise<BatchPage> {
  const { batch, cursor } = await readOfContract(ctx, [BATCHES_PATH, {}], "batch", options, query);
  return { batches: batch, cursor };
}

/** Every batch of the query; fetches each page when it is needed. */
export async function* iterateBatches(
  ctx: ClientContext,
  query: ListQuery = {},
  options?: CallOptions,
): AsyncGenerator<Batch, void, undefined> {
  const pages = allPages((cursor) => listBatches(ctx, { ...query, cursor }, options), query.cursor);
  for await (const { batches } of pages) yield* batches;
}
