import type { paths } from "./api-types.ts";
import { type PathValues, pathTo } from "./paths.ts";
import { type Operation, sendOperation } from "./send-operation.ts";
import type {
  BalancesByPointType,
  BatchRoot,
  Books,
  BooksChain,
  BooksChainQuery,
  ContractForecast,
  MonthOfStatements,
  Payment,
  PointType,
  Receipt,
  ReplyBody,
} from "./shapes.ts";
import { type CallOptions, type ClientContext, contractOf } from "./transport.ts";

// What each function does is documented in `Client` (create-client.ts).

type PublicCallOptions = Pick<CallOptions, "signal">;
type Body<Path extends keyof paths> = paths[Path] extends { get: infer Get }
  ? Omit<ReplyBody<Get>, "success">
  : never;

/** The body of a reply to GET, without `success`. @param member what a successful body must have */
async function read<Path extends keyof paths>(
  { transport }: ClientContext,
  [path, values]: [Path, PathValues<Path>],
  member: keyof Body<Path> & string,
  { signal }: PublicCallOptions,
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

export async function getBalances(
  ctx: ClientContext,
  options: CallOptions = {},
): Promise<BalancesByPointType> {
  const contractAddress = contractOf(ctx, options);
  const path = "/v1/contracts/{contractAddress}/point-balances";
  return (await read(ctx, [path, { contractAddress }], "balancesByPointType", options)).balancesByPointType;
}

export async function getStatements(
  ctx: ClientContext,
  month: string,
  { pointType, ...options }: CallOptions & { pointType?: PointType } = {},
): Promise<MonthOfStatements> {
  const contractAddress = contractOf(ctx, options);
  const path = "/v1/contracts/{contractAddress}/statements";
  return read(ctx, [path, { contractAddress }], "statements", options, { month, pointType });
}

export async function getForecast(ctx: ClientContext, options: CallOptions = {}): Promise<ContractForecast> {
  const contractAddress = contractOf(ctx, options);
  return read(ctx, ["/v1/contracts/{contractAddress}/forecast", { contractAddress }], "forecasts", options);
}

export async function findPayments(
  ctx: ClientContext,
  reference: string,
  options: CallOptions = {},
): Promise<Payment[]> {
  const contractAddress = contractOf(ctx, options);
  const path = "/v1/contracts/{contractAddress}/transfers";
  return (await read(ctx, [path, { contractAddress }], "transfers", options, { reference })).transfers;
}

export async function getRoot(
  ctx: ClientContext,
  batchId: string,
  options: CallOptions = {},
): Promise<BatchRoot> {
  const contractAddress = contractOf(ctx, options);
  const path = "/v1/contracts/{contractAddress}/batches/{batchId}/root";
  return read(ctx, [path, { contractAddress, batchId }], "root", options);
}

export async function getReceipt(
  ctx: ClientContext,
  batchId: string,
  address: string,
  options: CallOptions = {},
): Promise<Receipt> {
  const contractAddress = contractOf(ctx, options);
  const path = "/v1/contracts/{contractAddress}/batches/{batchId}/receipts/{address}";
  return (await read(ctx, [path, { contractAddress, batchId, address }], "receipt", options)).receipt;
}

/** Without the client's token, which the public books do not need. */
const publicly = ({ transport, ...ctx }: ClientContext): ClientContext => ({
  ...ctx,
  transport: { ...transport, token: null },
});

export async function getBooks(ctx: ClientContext, options: PublicCallOptions = {}): Promise<Books> {
  return (await read(publicly(ctx), ["/v1/books", {}], "books", options)).books;
}

export async function getBooksChain(
  ctx: ClientContext,
  query: BooksChainQuery = {},
  options: PublicCallOptions = {},
): Promise<BooksChain> {
  return read(publicly(ctx), ["/v1/books/chain", {}], "links", options, query);
}
