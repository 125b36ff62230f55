import { beforeAll, describe, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { dryRunSubmit } from "@/server/batches/submit/dry-run-submit";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { indexAll } from "@/testing/catch-up";
import { batchOf, LIMITS, wallet } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { reviewBatch, reviewNewBatch } from "./review-batch";

const { db, context, newContract, submit, finalize } = useLedger();

const WAIT = { secondsToFinalize: 3600 };

const ann = () => context("staff:ann@example.com");

async function review(contractAddress: string, batchId: string) {
  await indexAll(db);
  return reviewBatch(ann(), { contractAddress, batchId });
}

/** Finalizes one batch to wallet 1 for each amount. */
async function paidBefore(contract: string, amounts: readonly string[]): Promise<void> {
  for (const points of amounts) await submit(contract, [[1, points]]);
  await finalize();
}

test("a contract's first batch has nothing to compare with: no finding is alarming, and none is reassuring about amounts", async () => {
  const contract = await newContract();
  await submit(contract, [[1, "5"] as const, [2, "7.5"] as const], { batchId: "first", ...WAIT });
  expect(await review(contract, "first")).toEqual({
    level: "notable",
    comparedWith: 0,
    repeats: { level: "expected", batches: [] },
    total: { level: "notable", points: "12.5", usual: null, times: null, isRecord: false },
    largestTransfer: { level: "notable", points: "7.5", usual: null, times: null, isRecord: false },
    recipients: { level: "notable", total: 2, new: 2, percent: 100 },
    share: null,
  });
});

describe("an amount", () => {
  let contract: string;
  beforeAll(async () => {
    contract = await newContract();
    // The median is 10, the 95th percentile 12, and one batch was far above.
    await paidBefore(contract, [
      ...Array(10).fill("9"),
      ...Array(9).fill("10"),
      ...Array(19).fill("11"),
      "12",
      "12",
      "20",
    ]);
  });

  test.each([
    ["11.9", "expected", "0", false],
    ["12.000000000001", "notable", "1", false],
    ["20.000000000001", "notable", "1", true],
    ["35.999999999999", "notable", "2", true],
    ["36", "unusual", "3", true],
    ["120", "alarming", "10", true],
  ])("of %s is %s where 95 of 100 were up to 12", async (points, level, times, isRecord) => {
    const batchId = `of-${points}`;
    await submit(contract, [[1, points]], { batchId, ...WAIT });
    const found = await review(contract, batchId);
    const usual = { median: "11", p95: "12", max: "20" };
    expect(found).toMatchObject({ comparedWith: 41, level });
    expect(found.total).toEqual({ level, points, usual, times, isRecord });
    expect(found.largestTransfer).toEqual({ level, points, usual, times, isRecord });
  });
});

test("a batch that waits, was cancelled, came later or has the other point type is no history", async () => {
  const contract = await newContract();
  await paidBefore(contract, ["10"]);
  await submit(contract, [[1, "500"]], { batchId: "waits", ...WAIT });
  await submit(contract, [[1, "600"]], { batchId: "wrong", ...WAIT });
  await cancelBatch(ann(), { contractAddress: contract, batchId: "wrong", reason: "Wrong amounts" });
  await submit(contract, [[1, "700"]], { pointType: "PHASE2_GOLD" });
  await submit(contract, [[1, "800"]], { batchId: "reviewed", ...WAIT });
  await paidBefore(contract, ["900"]);
  expect(await review(contract, "reviewed")).toMatchObject({
    level: "alarming",
    comparedWith: 1,
    total: { usual: { median: "10", p95: "10", max: "10" }, times: "80" },
  });
});

test("a batch is reviewed before it is submitted as it will be afterwards", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "200" });
  await paidBefore(contract, ["10", "11"]);
  await submit(contract, [[7, "40"]], { batchId: "wrong", ...WAIT });
  await cancelBatch(ann(), { contractAddress: contract, batchId: "wrong", reason: "Wrong wallet" });
  await indexAll(db);
  const batch = batchOf(contract, [[7, "40"]], { batchId: "next", ...WAIT });
  const before = await reviewNewBatch(ann(), batch, await dryRunSubmit(ann(), LIMITS, batch));
  await submit(batch);
  expect(before).toEqual(await review(contract, "next"));
  expect(before).toMatchObject({ level: "unusual", total: { times: "3" }, share: { percent: 22 } });
});

const viewer = callerOf(db, "viewer").batches;

const to = (number: number) => addressFromBytes(addressToBytes(wallet(number)));

test("recipients that differ are listed by the size of the difference, with exact amounts, counts and labels", async () => {
  const contractAddress = await newContract();
  await callerOf(db, "operator").recipients.setLabel({ address: wallet(5), label: "Treasury" });
  const large = "20000000000000000000.00000000000";
  const before = { 1: "10", 2: `${large}1`, 3: "5", 4: "7.5" };
  const after = { 4: "7.50", 5: "3", 1: "4", 2: `${large}3` };
  for (const [batchId, rows] of Object.entries({ before, after }))
    await submit(
      contractAddress,
      Object.entries(rows).map(([number, points]) => [Number(number), points] as const),
      { batchId, secondsToFinalize: batchId === "before" ? 3600 : 60 },
    );
  const compared = await viewer.compare({ contractAddress, batchId: "after", withId: "before" });
  expect(compared).toMatchObject({
    difference: "-7.999999999998",
    counts: { added: 1, removed: 1, changed: 2, same: 1 },
  });
  expect(compared.shown).toEqual([
    { toAddress: to(1), before: "10", after: "4", difference: "-6", label: null },
    { toAddress: to(3), before: "5", after: null, difference: "-5", label: null },
    { toAddress: to(5), before: null, after: "3", difference: "3", label: "Treasury" },
    { toAddress: to(2), before: `${large}1`, after: `${large}3`, difference: "0.000000000002", label: null },
  ]);
});

test("batches of another contract or point type are refused with a reason", async () => {
  const [contractAddress, other] = [await newContract(), await newContract()];
  await submit(contractAddress, [[1, "1"]], { batchId: "points" });
  await submit(contractAddress, [[1, "1"]], { batchId: "gold", pointType: "PHASE2_GOLD" });
  await submit(other, [[1, "1"]], { batchId: "elsewhere" });
  const compare = (withId: string) => viewer.compare({ contractAddress, batchId: "points", withId });
  await expect(compare("gold")).rejects.toThrow("Only batches of the same type can be compared");
  await expect(compare("elsewhere")).rejects.toThrow("The contract has no batch elsewhere");
});

test("a batch's total is shown beside those that it was compared with: the last fifty before its submit, smallest first", async () => {
  const contractAddress = await newContract();
  await paidBefore(contractAddress, ["1", ...Array(25).fill("10"), ...Array(24).fill("2.5"), "11"]);
  await submit(contractAddress, [[1, "800"]], { batchId: "odd", ...WAIT });
  await paidBefore(contractAddress, ["7"]);
  const totals = await callerOf(db, "viewer").batches.earlierTotals({ contractAddress, batchId: "odd" });
  expect(totals).toEqual([...Array(24).fill("2.5"), ...Array(25).fill("10"), "11"]);
});
