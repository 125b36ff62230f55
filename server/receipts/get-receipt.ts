import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import type { BatchKey } from "../kernel/values/batch-schema";
import { DomainError } from "../kernel/values/problems";
import { findFinalized, readRoot, treeOf } from "./batch-tree";
import { leafOf } from "./leaf";
import type { ReceiptInput, ReceiptOut } from "./receipt-schema";

/** @throws DomainError `batch_not_found`, `batch_not_finalized`, `receipt_not_found` */
export async function getReceipt(ctx: ServiceContext, input: ReceiptInput): Promise<ReceiptOut> {
  const found = await findFinalized(ctx, input.contractAddress, input.batchId);
  const { batch, transfers, root, proofOf } = await treeOf(ctx, found);
  const address = addressFromBytes(addressToBytes(input.address));
  const position = transfers.findIndex(({ toAddress }) => toAddress === address);
  const transfer = transfers[position];
  if (!transfer)
    throw new DomainError("receipt_not_found", `Batch ${input.batchId} has no transfer to ${address}.`);
  const leaf = leafOf(batch, transfer, position);
  return { ...batch, position, ...transfer, leaf, proof: proofOf(position), root };
}

/** @throws DomainError `batch_not_found`, `batch_not_finalized`, `receipt_not_found` */
export async function getRoot(
  ctx: ServiceContext,
  input: BatchKey,
): Promise<{ root: string; leaves: number }> {
  const batch = await findFinalized(ctx, input.contractAddress, input.batchId);
  const root = (await readRoot(ctx, batch)) ?? (await treeOf(ctx, batch)).root;
  return { root, leaves: batch.transferCount };
}
