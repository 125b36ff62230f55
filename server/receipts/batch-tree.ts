import type { Database } from "@/db/client";
import { findBatch, findTransfers, type StoredBatch } from "../batches/list/get-batch";
import type { ServiceContext } from "../kernel/context";
import { addressFromBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import type { Transfer } from "../ledger/packed-transfers";
import type { BatchOfTree } from "./leaf";
import { type MerkleTree, makeMerkleTree } from "./merkle-tree";

/** The trees of the last batches are kept, up to this many transfers in all. */
const TRANSFERS_KEPT_MAX = 50_000;

export interface BatchTree extends MerkleTree {
  batch: BatchOfTree;
  transfers: readonly Transfer[];
}

interface KeptTree {
  transferCount: number;
  tree: Promise<BatchTree>;
}
/** By contract and sequence number, the last one used at the end. */
const keptTrees = new WeakMap<Database, Map<string, KeptTree>>();

/** @throws DomainError `batch_not_found`, `batch_not_finalized`, `receipt_not_found` for a reversal, which pays nobody */
export async function findFinalized(
  ctx: ServiceContext,
  contractAddress: string,
  batchId: string,
): Promise<StoredBatch> {
  const batch = await findBatch(ctx, contractAddress, batchId);
  if (batch.reversesSeq !== null)
    throw new DomainError(
      "receipt_not_found",
      `Batch ${batchId} is a reversal. Only a batch that pays has a root and receipts.`,
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
  const kept = keptTrees.get(ctx.db) ?? new Map<string, KeptTree>();
  keptTrees.set(ctx.db, kept);
  const key = `${batch.contractAddress.toString("hex")}/${batch.seq}`;
  const entry = kept.get(key) ?? { transferCount: batch.transferCount, tree: makeTree(ctx, batch) };
  kept.delete(key);
  kept.set(key, entry);
  drop(kept, TRANSFERS_KEPT_MAX);
  try {
    return await entry.tree;
  } catch (error) {
    if (kept.get(key) === entry) kept.delete(key);
    throw error;
  }
}

/** Drops the trees that were not used for longest. */
function drop(kept: Map<string, KeptTree>, transfersMax: number): void {
  let transfers = 0;
  for (const { transferCount } of kept.values()) transfers += transferCount;
  for (const [key, { transferCount }] of kept) {
    if (transfers <= transfersMax) return;
    kept.delete(key);
    transfers -= transferCount;
  }
}

async function makeTree(ctx: ServiceContext, stored: StoredBatch): Promise<BatchTree> {
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
