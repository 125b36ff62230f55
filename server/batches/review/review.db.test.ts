import { beforeAll, describe, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { dryRunSubmit } from "@/server/batches/submit/dry-run-submit";
import { indexAll } from "@/testing/catch-up";
import { batchOf, LIMITS } from "@/testing/factories";
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
    const most = [...Array(10).fill("9"), ...Array(9).fill("10"), ...Array(19).fill("11")];
    await paidBefore(contract, [...most, "12", "12", "20"]);
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
  const found = { level: "unusual", total: { times: "3" }, share: { percent: 22 } };
  expect(before).toMatchObject({ ...found, recipients: { new: 1 } });
});

test("a batch's total is shown beside those that it was compared with: the last fifty before its submit, smallest first", async () => {
  const contractAddress = await newContract();
  await paidBefore(contractAddress, ["1", ...Array(25).fill("10"), ...Array(24).fill("2.5"), "11"]);
  await submit(contractAddress, [[1, "800"]], { batchId: "odd", ...WAIT });
  await paidBefore(contractAddress, ["7"]);
  const totals = await callerOf(db, "viewer").batches.earlierTotals({ contractAddress, batchId: "odd" });
  expect(totals).toEqual([...Array(24).fill("2.5"), ...Array(25).fill("10"), "11"]);
});
