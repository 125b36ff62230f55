import { expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { type batchOf, testContext, times, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { getReceipt, getRoot, receiptsOf } from "./get-receipt";

const { db, context, newContract, submit, finalize } = useLedger({ balances: false });

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

test("all receipts of a batch are those of its recipients, in order", async () => {
  const batch = await finalizedBatch(Array.from({ length: 501 }, (_, at) => [at + 1, String(at + 1)]));
  const pages = [];
  for await (const page of receiptsOf(context(), batch)) pages.push(page);
  expect(pages.map(({ length }) => length)).toEqual([500, 1]);
  const receipts = pages.flat();
  expect(receipts.map(({ position }) => position)).toEqual(receipts.map((_, at) => at));
  for (const at of [0, 499, 500])
    expect(receipts[at]).toEqual(await getReceipt(context(), { ...batch, address: wallet(at + 1) }));
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
