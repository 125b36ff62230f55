import { type CallOptions, type ClientContext, contractOf } from "./client-context.ts";
import { receiptPath, rootPath } from "./paths.ts";
import { sendOperation } from "./send-operation.ts";
import type { BatchRoot, Receipt } from "./shapes.ts";

/**
 * The proof that a finalized batch has a transfer to this address.
 * @throws ApiProblem `receipt_not_found`, `batch_not_finalized`, …; ConnectionFailure, UnexpectedReply
 */
export async function getReceipt(
  ctx: ClientContext,
  batchId: string,
  address: string,
  options: CallOptions = {},
): Promise<Receipt> {
  const { body } = await sendOperation(ctx.transport, {
    method: "GET",
    path: receiptPath(contractOf(ctx, options), batchId, address),
    member: "receipt",
    repeat: "always",
    changes: false,
    batchId,
    signal: options.signal,
  });
  return body!.receipt as Receipt;
}

/**
 * The Merkle root of a finalized batch.
 * @throws ApiProblem `batch_not_finalized`, …; ConnectionFailure, UnexpectedReply
 */
export async function getRoot(
  ctx: ClientContext,
  batchId: string,
  options: CallOptions = {},
): Promise<BatchRoot> {
  const { body } = await sendOperation(ctx.transport, {
    method: "GET",
    path: rootPath(contractOf(ctx, options), batchId),
    member: "root",
    repeat: "always",
    changes: false,
    batchId,
    signal: options.signal,
  });
  const { root, leaves } = body as unknown as BatchRoot;
  return { root, leaves };
}
