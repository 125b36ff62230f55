import { describe, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { describeCorrection } from "@/server/batches/change/describe-correction";
import { holdBatch } from "@/server/batches/change/hold-batch";
import { findBatch } from "@/server/batches/list/get-batch";
import { sumPointsPerDay } from "@/server/contracts/read-contracts";
import { makeForecast } from "@/server/forecast/make-forecast";
import { getReceipt, getRoot } from "@/server/receipts/get-receipt";
import { describeRecipient } from "@/server/recipients/describe-recipient";
import { exportReceived } from "@/server/recipients/export-received";
import { listReceived, sumReceived } from "@/server/recipients/list-received";
import { indexAll, reviewAll } from "@/testing/catch-up";
import { batchOf, LIMITS, nextAddress, setRule, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { reverseBatch } from "./reverse-batch";

const { db, context, newContract, submit, finalize } = useLedger();

let wallets = 0xc000;

/** Two batches to a wallet, 10.5 and 2; the first is taken back. The wallet keeps 2. */
async function takenBack({ isDone = true } = {}) {
  const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "100" });
  const to = wallet(wallets++);
  await submit(batchOf(contractAddress, [[to, "10.5"]], { batchId: "wrong" }));
  await finalize();
  const input = { contractAddress, batchId: "wrong", reversalId: "back", reason: "wrong file" };
  await reverseBatch(context(), LIMITS, { ...input, secondsToFinalize: isDone ? 0 : 3600 });
  await finalize();
  await submit(batchOf(contractAddress, [[to, "2"]], { batchId: "right" }));
  await finalize();
  return { contractAddress, to };
}

async function rowsOf<Row>(pages: AsyncGenerator<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

describe.each([false, true])("a reversal in the index by recipient: %s", (isIndexed) => {
  const reach = async () => {
    if (isIndexed) await indexAll(db);
  };

  test("counts negatively on the recipient's page, and both transfers name each other's batch", async () => {
    const { to } = await takenBack();
    await reach();
    const { transfers } = await listReceived(context(), { address: to });
    expect(
      transfers.map(({ batchId, points, reverses, reversedBy, running }) => [
        batchId,
        points,
        reverses,
        reversedBy && [reversedBy.id, reversedBy.status],
        running!.PHASE2_POINTS,
      ]),
    ).toEqual([
      ["right", "2", null, null, "2"],
      ["back", "10.5", "wrong", null, "0"],
      ["wrong", "10.5", null, ["back", "FINALIZED"], "10.5"],
    ]);
    const second = await listReceived(context(), { address: to, limit: 1 });
    const next = await listReceived(context(), { address: to, limit: 2, cursor: second.cursor });
    expect(next.transfers.map(({ running }) => running!.PHASE2_POINTS)).toEqual(["0", "10.5"]);
    const exported = await rowsOf(await exportReceived(context(), { address: to }));
    expect(exported.map(({ batchId, running }) => [batchId, running.PHASE2_POINTS])).toEqual([
      ["wrong", "10.5"],
      ["back", "0"],
      ["right", "2"],
    ]);
  });

  test("is a figure of its own in the sums of the recipient and the contract, and neither received nor pending", async () => {
    const { to, contractAddress } = await takenBack({ isDone: false });
    await reach();
    const described = async (address = to) =>
      (await describeRecipient(context(), { address })).points.PHASE2_POINTS;
    const sums = async () =>
      (await sumReceived(context(), { address: to, contractAddress })).points.PHASE2_POINTS;
    const open = { takingBack: "10.5", takenBack: "0" };
    expect(await described()).toMatchObject({ ...open, balance: "12.5", received: "12.5", expected: "0" });
    expect(await sums()).toMatchObject({ ...open, pending: "0", transfers: 2, credited: "12.5" });
    await cancelBatch(context(), { contractAddress, batchId: "back" });
    const none = { takenBack: "0", takingBack: "0" };
    expect(await described()).toMatchObject({ ...none, received: "12.5" });
    expect(await sums()).toMatchObject({ ...none, credited: "12.5", cancelled: "0" });
    const done = await takenBack();
    await reach();
    const taken = { balance: "2", received: "12.5", takenBack: "10.5", takingBack: "0" };
    expect(await described(done.to)).toMatchObject(taken);
    expect(await described(done.contractAddress)).toMatchObject({
      balance: "0",
      received: "0",
      takenBack: "0",
    });
  });
});

test("a balance is what was received and not taken back, to the last digit, and not what a contract has sent", async () => {
  const address = nextAddress();
  const balance = async () => {
    const { points } = await describeRecipient(context(), { address });
    const { transfers } = await listReceived(context(), { address });
    expect(transfers[0]!.running!.PHASE2_POINTS).toBe(points.PHASE2_POINTS.balance);
    return points.PHASE2_POINTS.balance;
  };
  const contractAddress = await newContract();
  const most = "99999999999999999999999999.999999999999";
  const payments = { most, same: most, small: "0.000000000001" };
  for (const [batchId, points] of Object.entries(payments)) {
    await submit(batchOf(contractAddress, [[address, points]], { batchId }));
    await finalize();
  }
  expect(await balance()).toBe("199999999999999999999999999.999999999999");
  for (const batchId of ["most", "same"]) {
    const back = { contractAddress, batchId, reversalId: `back-${batchId}`, secondsToFinalize: 0 };
    await reverseBatch(context(), LIMITS, back);
    await finalize();
  }
  expect(await balance()).toBe("0.000000000001");
  await newContract({ address, issuance: "PREFUNDED", granted: "5" });
  await submit(batchOf(address, [[wallets++, "3"]], { batchId: "sent" }));
  await finalize();
  expect(await balance()).toBe("0.000000000001");
});

test("a reversal is no outflow: it is not in the forecast, the pace or the contract's chart", async () => {
  const { contractAddress } = await takenBack({ isDone: false });
  const expectNotForecast = async () => {
    const { forecasts } = await makeForecast(context(), { contractAddress });
    const points = forecasts.find(({ pointType }) => pointType === "PHASE2_POINTS")!;
    const { overdue, days, later, onHold } = points;
    expect(points.submittedLast7Days).toBe("12.5");
    expect([overdue, ...days, later, onHold].filter(({ batchCount }) => batchCount > 0)).toEqual([]);
  };
  await expectNotForecast();
  await holdBatch(context(), { contractAddress, batchId: "back", reason: "check" });
  await expectNotForecast();
  const dayStarts = [Date.now() - 3_600_000, Date.now() + 3_600_000].map((at) => new Date(at).toISOString());
  const days = await sumPointsPerDay(context(), { contractAddress, dayStarts });
  expect(days).toMatchObject([{ finalized: "12.5", pending: "0" }]);
});

test("a reversal is not compared with payments, so a rule about unusual batches lets it pass", async () => {
  const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "10" });
  const to = wallet(wallets++);
  await submit(batchOf(contractAddress, [[to, "9"]], { batchId: "wrong" }));
  await finalize();
  await setRule(db, contractAddress, { onUnusual: true });
  await reverseBatch(context(), LIMITS, {
    contractAddress,
    batchId: "wrong",
    reversalId: "back",
    secondsToFinalize: 0,
  });
  expect(await findBatch(context(), contractAddress, "back")).toMatchObject({ approvalNeed: "REVIEW" });
  await reviewAll(db);
  expect(await findBatch(context(), contractAddress, "back")).toMatchObject({
    approvalNeed: null,
    awaitsApproval: false,
  });
  await finalize();
});

test("a reversal has no root and no receipt, and a cancelled one is not corrected by paying its transfers", async () => {
  const { contractAddress, to } = await takenBack();
  const key = { contractAddress, batchId: "back" };
  await expect(getRoot(context(), key)).rejects.toMatchObject({ code: "receipt_not_found" });
  await expect(getReceipt(context(), { ...key, address: to })).rejects.toMatchObject({
    code: "receipt_not_found",
  });
  expect(await getReceipt(context(), { contractAddress, batchId: "wrong", address: to })).toMatchObject({
    points: "10.5",
  });
  const other = await takenBack({ isDone: false });
  const cancelled = { contractAddress: other.contractAddress, batchId: "back" };
  await cancelBatch(context(), cancelled);
  await expect(describeCorrection(context(), cancelled)).rejects.toMatchObject({ code: "validation_failed" });
  await expect(
    submit({ ...batchOf(other.contractAddress, [[to, "1"]]), corrects: "back" }),
  ).rejects.toMatchObject({ code: "validation_failed" });
});
