import type { paths } from "./api-types.ts";
import { UnexpectedReply } from "./client-error.ts";
import { BATCHES_PATH, type PathValues, pathTo, type ReplyBody } from "./paths.ts";
import { type Operation, sendOperation } from "./send-operation.ts";
import type { Batch, ListQuery } from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

type Body<Path extends keyof paths> = paths[Path] extends { get: infer Get }
  ? Omit<ReplyBody<Get>, "success">
  : never;

/** The body of a reply to GET, without `success`. @param member what a successful body must have */
export async function read<Path extends keyof paths>(
  { transport }: ClientContext,
  [path, values]: [Path, PathValues<Path>],
  member: keyof Body<Path> & string,
  { signal }: CallOptions = {},
  query?: Operation["query"],
): Promise<Body<Path>> {
  const { body } = await sendOperation(transport, {
    method: "GET",
    path: pathTo(path, values),
    batchId: "batchId" in values ? String(values.batchId) : undefined,
    query,
    member,
    signal,
  });
  const { success, ...rest } = body!;
  return rest as Body<Path>;
}

/** @param values the path's parameters but the contract */
export async function readOfContract<Path extends keyof paths>(
  ctx: ClientContext,
  [path, values]: [Path, Omit<PathValues<Path>, "contractAddress">],
  member: keyof Body<Path> & string,
  options: CallOptions = {},
  query?: Operation["query"],
): Promise<Body<Path>> {
  const all = { ...values, contractAddress: contractOf(ctx, options) } as unknown as PathValues<Path>;
  return read(ctx, [path, all], member, options, query);
}

/** Each page of a list, read when it is needed. @param from the cursor of the first one */
export async function* allPages<Page extends { cursor: string | null }>(
  readPage: (cursor: string | undefined) => Promise<Page>,
  from: string | undefined,
): AsyncGenerator<Page, void, undefined> {
  let cursor = from;
  for (;;) {
    const page = await readPage(cursor);
    yield page;
    if (page.cursor === null) return;
    if (page.cursor === cursor) throw new UnexpectedReply(200, "The list's cursor did not advance.");
    cursor = page.cursor;
  }
}

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
