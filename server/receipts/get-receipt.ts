import { findBatch, findTransfers, type StoredBatch } from "@/server/batches/list/get-batch";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { perDatabase } from "@/server/kernel/process";
import type { BatchKey } from "@/terms/batch-schema";
import { DomainError } from "@/terms/problems";
import { leafOf } from "@/terms/receipt-leaf";
import { makeMerkleTree } from "./merkle-tree";
import type { ReceiptInput, ReceiptOut } from "./schema";

/** A caller asks for many receipts of a batch. A tree takes up to some megabytes. */
const TREES_KEPT = 10;

type BatchTree = Awaited<ReturnType<typeof makeTree>>;

/** By contract and sequence number, the most recently used last. */
const treesOf = perDatabase(() => new Map<string, Promise<BatchTree>>());

/** @throws DomainError `batch_not_found`, `batch_not_finalized`, `receipt_not_found` for a reversal */
export async function findFinalized(
  ctx: ServiceContext,
  contractAddress: string,
  batchId: string,
): Promise<StoredBatch> {
  const batch = await findBatch(ctx, contractAddress, batchId);
  if (batch.reversesSeq !== null)
    throw new DomainError(
      "receipt_not_found",
      `Batch ${batchId} is a reversal. Reversals have no root or receipts.`,
    );
  if (batch.status === "FINALIZED") return batch;
  throw new DomainError(
    "batch_not_finalized",
    `The batch is ${batch.status}. Only a FINALIZED batch has a root and receipts.`,
    { extra: { batchStatus: batch.status } },
  );
}

/** The tree of a FINALIZED batch, whose root is stored. */
export async function treeOf(ctx: ServiceContext, batch: StoredBatch): Promise<BatchTree> {
  const trees = treesOf(ctx.db);
  const key = `${batch.contractAddress.toString("hex")}/${batch.seq}`;
  const tree = trees.get(key) ?? makeTree(ctx, batch);
  trees.delete(key);
  trees.set(key, tree);
  const [oldest] = trees.keys();
  if (trees.size > TREES_KEPT) trees.delete(oldest!);
  try {
    return await tree;
  } catch (error) {
    if (trees.get(key) === tree) trees.delete(key);
    throw error;
  }
}

async function makeTree(ctx: ServiceContext, stored: StoredBatch) {
  const transfers = await findTransfers(ctx, stored);
  const batch = {
    contractAddress: addressFromBytes(stored.contractAddress),
    batchId: stored.id,
    pointType: stored.pointType,
  };
  const tree = await makeMerkleTree(batch, transfers);
  await storeRoot(ctx, stored, tree.root);
  return { ...tree, batch, transfers };
}

/** A root may be on a chain already, so it is never replaced. */
async function storeRoot(ctx: ServiceContext, batch: StoredBatch, root: string): Promise<void> {
  await ctx.db.sql`
    insert into batch_roots (contract_address, batch_seq, root)
    values (${batch.contractAddress}, ${String(batch.seq)}, ${Buffer.from(root.slice(2), "hex")})
    on conflict (contract_address, batch_seq) do nothing`;
  if ((await readRoot(ctx, batch)) !== root)
    throw new Error(`The stored root of batch ${batch.seq} is not the root of its transfers.`);
}

/** The stored root; null before the first request for it or for a receipt. */
export async function readRoot(ctx: ServiceContext, batch: StoredBatch): Promise<string | null> {
  const [row] = await ctx.db.sql<{ root: Buffer }[]>`
    select root from batch_roots
    where contract_address = ${batch.contractAddress} and batch_seq = ${String(batch.seq)}`;
  return row ? `0x${row.root.toString("hex")}` : null;
}

/** @throws DomainError `batch_not_found`, `batch_not_finalized`, `receipt_not_found` */
export async function getReceipt(ctx: ServiceContext, input: ReceiptInput): Promise<ReceiptOut> {
  const tree = await treeOf(ctx, await findFinalized(ctx, input.contractAddress, input.batchId));
  const address = addressFromBytes(addressToBytes(input.address));
  const position = tree.transfers.findIndex(({ toAddress }) => toAddress === address);
  if (position === -1)
    throw new DomainError("receipt_not_found", `Batch ${input.batchId} has no transfer to ${address}.`);
  return receiptAt(tree, position);
}

function receiptAt({ batch, transfers, root, proofOf }: BatchTree, position: number): ReceiptOut {
  const transfer = transfers[position]!;
  return {
    ...batch,
    position,
    ...transfer,
    leaf: leafOf(batch, transfer, position),
    proof: proofOf(position),
    root,
  };
}

const PAGE_RECEIPTS = 500;

/** All receipts of a batch, in order. @throws DomainError as `getReceipt` */
export async function* receiptsOf(ctx: ServiceContext, input: BatchKey): AsyncGenerator<ReceiptOut[]> {
  const tree = await treeOf(ctx, await findFinalized(ctx, input.contractAddress, input.batchId));
  for (let from = 0; from < tree.transfers.length; from += PAGE_RECEIPTS)
    yield tree.transfers.slice(from, from + PAGE_RECEIPTS).map((_, at) => receiptAt(tree, from + at));
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
