import { UnexpectedReply } from "./client-error.ts";
import { BATCHES_PATH, pathTo } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { Batch, ListQuery, ListReply } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

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
  options: CallOptions = {},
): Promise<BatchPage> {
  const { body } = await sendOperation(ctx.transport, {
    method: "GET",
    path: pathTo(BATCHES_PATH, { contractAddress: contractOf(ctx, options) }),
    query,
    member: "batch",
    signal: options.signal,
  });
  const { batch, cursor } = body as unknown as ListReply;
  return { batches: batch, cursor };
}

/** Every batch of the query; fetches each page when it is needed. */
export async function* iterateBatches(
  ctx: ClientContext,
  query: ListQuery = {},
  options: CallOptions = {},
): AsyncGenerator<Batch, void, undefined> {
  let cursor = query.cursor;
  for (;;) {
    const page = await listBatches(ctx, { ...query, cursor }, options);
    yield* page.batches;
    if (page.cursor === null) return;
    if (page.cursor === cursor) throw new UnexpectedReply(200, "The list's cursor did not advance.");
    cursor = page.cursor;
  }
}
