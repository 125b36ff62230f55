import type { CallOptions, ClientContext } from "./client-context.ts";
import { BOOKS_CHAIN_PATH, BOOKS_PATH } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { Books, BooksChain, BooksChainQuery } from "./shapes.ts";

type PublicCallOptions = Pick<CallOptions, "signal">;

/**
 * The totals of all points, and whether the last self-check found the ledger in balance.
 * @throws ApiProblem `not_found` unless the service runs with `PUBLIC_BOOKS=on`, …; ConnectionFailure, UnexpectedReply
 */
export async function getBooks(ctx: ClientContext, options: PublicCallOptions = {}): Promise<Books> {
  const { body } = await readBooks(ctx, BOOKS_PATH, "books", {}, options);
  return (body as unknown as { books: Books }).books;
}

/**
 * One page of the hash chain over days. `nextFrom` is the `from` of the next page; null on the last.
 * @throws ApiProblem `not_found` unless the service runs with `PUBLIC_BOOKS=on`, …; ConnectionFailure, UnexpectedReply
 */
export async function getBooksChain(
  ctx: ClientContext,
  query: BooksChainQuery = {},
  options: PublicCallOptions = {},
): Promise<BooksChain> {
  const { body } = await readBooks(ctx, BOOKS_CHAIN_PATH, "links", query, options);
  const { success, ...chain } = body as unknown as BooksChain & { success: true };
  return chain;
}

/** Without the client's token, which the public books do not need. */
function readBooks(
  { transport }: ClientContext,
  path: string,
  member: string,
  query: BooksChainQuery,
  { signal }: PublicCallOptions,
) {
  return sendOperation(
    { ...transport, token: null },
    { method: "GET", path, query, member, repeat: "always", changes: false, signal },
  );
}
