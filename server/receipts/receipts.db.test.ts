import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { type batchOf, nextAddress, testContext, times, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import { addressToBytes } from "../kernel/values/addresses";
import { getReceipt, getRoot } from "./get-receipt";
import type { ReceiptOut } from "./schema";

const { db, context, newContract, submit, finalize } = useLedger({ balances: false });

/** As a contract on a chain would know it. */
const LEAF_ENCODING = ["address", "string", "string", "uint256", "address", "uint256"];
const verifies = ({ root, proof, leaf }: ReceiptOut, change: { at: number; to: string } | null = null) => {
  const changed = leaf.map((value, at) => (at === change?.at ? change.to : value));
  return StandardMerkleTree.verify(root, LEAF_ENCODING, changed, proof);
};

type Rows = Parameters<typeof batchOf>[1];
async function finalizedBatch(rows: Rows) {
  const contractAddress = await newContract();
  const batchId = await submit(contractAddress, rows);
  await finalize();
  return { contractAddress, batchId };
}

const storedRoots = async (contract: string) =>
  await db.sql`select root from batch_roots where contract_address = ${addressToBytes(contract)}`;

/** Another process, with a pool and kept trees of its own. */
async function inAnotherProcess<T>(run: (ctx: ReturnType<typeof testContext>) => Promise<T>): Promise<T> {
  const other = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  return run(testContext(other)).finally(() => other.close());
}

test("a receipt proves its transfer, and no other amount, recipient, position, batch or contract", async () => {
  const mixed = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
  const batch = await finalizedBatch([
    [1, "10.5"],
    [2, "0.02"],
    [3, "99999999999999999999999999.999999999999"],
    [mixed, "1"],
  ]);
  for (const written of [mixed, mixed.toLowerCase()])
    expect(await getReceipt(context(), { ...batch, address: written })).toMatchObject({ toAddress: mixed });
  for (const [position, points, units] of [
    [0, "10.5", "10500000000000"],
    [1, "0.02", "20000000000"],
    [2, "99999999999999999999999999.999999999999", "99999999999999999999999999999999999999"],
  ] as const) {
    const address = wallet(position + 1);
    const receipt = await getReceipt(context(), { ...batch, address });
    expect(receipt).toMatchObject({ batchId: batch.batchId, pointType: "PHASE2_POINTS", position, points });
    expect(receipt.leaf.slice(1)).toEqual([
      batch.batchId,
      "PHASE2_POINTS",
      String(position),
      receipt.toAddress,
      units,
    ]);
    expect(receipt.toAddress.toLowerCase()).toBe(address);
    expect(verifies(receipt)).toBe(true);
    for (const change of [
      { at: 0, to: nextAddress() },
      { at: 1, to: "another" },
      { at: 2, to: "PHASE2_GOLD" },
      { at: 3, to: String(position + 1) },
      { at: 4, to: wallet(9) },
      { at: 5, to: String(BigInt(units) + 1n) },
    ])
      expect(verifies(receipt, change), JSON.stringify(change)).toBe(false);
  }
});

test("a batch that is not FINALIZED, and an address that it does not pay, have no receipt", async () => {
  const contractAddress = await newContract();
  const pending = await submit(contractAddress, [[1, "1"]], { secondsToFinalize: 3600 });
  const cancelled = await submit(contractAddress, [[1, "2"]], { secondsToFinalize: 3600 });
  await cancelBatch(context(), { contractAddress, batchId: cancelled });
  for (const [batchId, batchStatus] of [
    [pending, "PENDING"],
    [cancelled, "CANCELLED"],
  ] as const) {
    const refusal = { code: "batch_not_finalized", options: { extra: { batchStatus } } };
    const key = { contractAddress, batchId };
    await expect(getReceipt(context(), { ...key, address: wallet(1) })).rejects.toMatchObject(refusal);
    await expect(getRoot(context(), key)).rejects.toMatchObject(refusal);
  }
  expect(await storedRoots(contractAddress)).toEqual([]);
  const batch = await finalizedBatch([[1, "1"]]);
  await expect(getReceipt(context(), { ...batch, address: wallet(2) })).rejects.toMatchObject({
    code: "receipt_not_found",
  });
  await expect(getRoot(context(), { ...batch, contractAddress })).rejects.toMatchObject({
    code: "batch_not_found",
  });
});

test("submitting, finalizing and reading a batch store no root; the first receipt does, once", async () => {
  const batch = await finalizedBatch([
    [1, "1"],
    [2, "2"],
  ]);
  expect(await storedRoots(batch.contractAddress)).toEqual([]);
  const [receipts, others, roots] = await Promise.all([
    times(3, () => getReceipt(context(), { ...batch, address: wallet(1) })),
    inAnotherProcess((ctx) => times(3, () => getReceipt(ctx, { ...batch, address: wallet(2) }))),
    inAnotherProcess((ctx) => times(3, () => getRoot(ctx, batch))),
  ]);
  const all = [...receipts, ...others, ...roots].map(({ root }) => root);
  expect(new Set(all).size).toBe(1);
  const stored = await storedRoots(batch.contractAddress);
  expect(stored.map(({ root }) => `0x${root.toString("hex")}`)).toEqual([all[0]]);
});

test("a published root never changes: if the stored transfers do, there are no more receipts", async () => {
  const batch = await finalizedBatch([[1, "1"]]);
  const { root } = await getRoot(context(), batch);
  const contract = batch.contractAddress.slice(2);
  await withoutTriggers(
    db,
    `update batch_transfers set points = array[2]::numeric[] where contract_address = '\\x${contract}'`,
  );
  await inAnotherProcess(async (ctx) => {
    expect((await getRoot(ctx, batch)).root).toBe(root);
    await expect(getReceipt(ctx, { ...batch, address: wallet(1) })).rejects.toThrow(/not the root/);
  });
});
