import { expect, test } from "vitest";
import { indexAll } from "@/testing/catch-up";
import { times, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import { describeRecipient } from "./describe-recipient";
import { type ExportedTransfer, exportReceived } from "./export-received";

const { db, context, newContract, submit, finalize } = useLedger();

async function exported(address: string): Promise<ExportedTransfer[]> {
  const transfers: ExportedTransfer[] = [];
  for await (const page of await exportReceived(context(), { address })) transfers.push(...page);
  return transfers;
}

const summaryOf = (transfers: ExportedTransfer[]) =>
  transfers.map(({ batchId, status, points, running }) => [
    batchId,
    status,
    points,
    running.PHASE2_POINTS,
    running.PHASE2_GOLD,
  ]);

test("an export contains every transfer over all contracts, oldest first, with running sums, indexed or not", async () => {
  const address = wallet(0x881);
  const [one, other] = [await newContract(), await newContract()];
  await submit(one, [[address, "10.000000000001"]], { batchId: "1" });
  await submit(other, [[address, "2"]], { batchId: "2", pointType: "PHASE2_GOLD" });
  await submit(one, [[address, "7"]], { batchId: "3", secondsToFinalize: 3600 });
  await cancelBatch(context(), { contractAddress: one, batchId: "3" });
  await finalize();
  await indexAll(db);
  await submit(other, [[address, "0.5"]], { batchId: "4" });
  await finalize();
  await submit(one, [[address, "3"]], { batchId: "5", secondsToFinalize: 3600 });
  const expected = [
    ["1", "FINALIZED", "10.000000000001", "10.000000000001", "0"],
    ["2", "FINALIZED", "2", "10.000000000001", "2"],
    ["3", "CANCELLED", "7", "10.000000000001", "2"],
    ["4", "FINALIZED", "0.5", "10.500000000001", "2"],
    ["5", "PENDING", "3", "10.500000000001", "2"],
  ];
  expect(summaryOf(await exported(address))).toEqual(expected);
  await indexAll(db);
  expect(summaryOf(await exported(address))).toEqual(expected);
});

test("an export of many pages contains each transfer once, even while batches are added and indexed", async () => {
  const address = wallet(0x882);
  const contract = await newContract();
  const pay = (count: number, name: string) =>
    times(count, (n) => submit(contract, [[address, "1"]], { batchId: `${name}-${n}` }));
  await pay(1000, "indexed");
  await indexAll(db);
  await pay(200, "unindexed");

  const ids: string[] = [];
  for await (const page of await exportReceived(context(), { address })) {
    if (ids.length === 0) {
      await pay(400, "later");
      await indexAll(db);
    }
    ids.push(...page.map(({ batchId }) => batchId));
  }
  expect([ids.length, new Set(ids).size]).toEqual([1200, 1200]);
});

test("an export for an address that was never paid has no pages", async () => {
  expect(await exported(wallet(0x883))).toEqual([]);
});

test("an export is refused while it would miss batches", async () => {
  const address = wallet(0x884);
  const contract = await newContract();
  await indexAll(db);
  await times(501, () => submit(contract, [[address, "1"]]));
  await expect(exportReceived(context(), { address })).rejects.toMatchObject({ code: "unavailable" });
  await indexAll(db);
  const { transferCount } = await describeRecipient(context(), { address });
  expect((await exported(address)).length).toBe(transferCount);
});
