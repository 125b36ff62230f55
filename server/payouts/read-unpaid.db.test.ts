import { expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { exportPayout } from "@/server/statements/export-transfers";
import { batchOf, LIMITS, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { describePayout } from "./read-payout";

const { context, newContract, finalize } = useLedger();
const ANN = "staff:ann@example.com";
const ann = () => context(ANN);

/** Three batches of two transfers: the first is cancelled, the second finalized and half taken back. */
async function partlyPaid() {
  const contractAddress = await newContract();
  const key = (batchId: string) => ({ contractAddress, batchId });
  for (const [at, batchId] of ["b1", "b2", "b3"].entries()) {
    const rows = [1, 2].map((row) => [16 * at + row, "1.5"] as const);
    const secondsToFinalize = batchId === "b2" ? 0 : 60;
    const batch = batchOf(contractAddress, rows, { batchId, secondsToFinalize });
    await submitBatch(context(), LIMITS, { ...batch, payoutId: "may" });
  }
  const other = batchOf(contractAddress, [[1, "9"]], { batchId: "other" });
  await submitBatch(context(), LIMITS, { ...other, payoutId: "june" });
  await cancelBatch(ann(), { ...key("b1"), reason: "wrong rows" });
  await finalize();
  const reversal = { reversalId: "back", secondsToFinalize: 60, toAddresses: [wallet(17)] };
  await reverseBatch(ann(), LIMITS, { ...key("b2"), ...reversal });
  return { contractAddress, payoutId: "may" };
}

test("a payout's page says who was not paid, and why: a cancelled batch, and what is taken back", async () => {
  const payout = await partlyPaid();
  const { stops, reversals, counts } = await describePayout(ann(), payout);
  const stop = { batchId: "b1", by: ANN, reason: "wrong rows" };
  expect(stops).toEqual([{ ...stop, correctedBy: null }]);
  expect(reversals).toMatchObject([{ id: "back", reverses: "b2", points: "1.5", status: "PENDING" }]);
  expect(counts).toMatchObject({ cancelled: 1, finalized: 1, pending: 1 });
  const correction = batchOf(payout.contractAddress, [[1, "1"]], { batchId: "b1-2" });
  await submitBatch(ann(), LIMITS, { ...correction, corrects: "b1" });
  expect((await describePayout(ann(), payout)).stops).toEqual([{ ...stop, correctedBy: "b1-2" }]);
});

test("a payout's report has every transfer of it once, with its status, what takes one back, and none of another payout", async () => {
  const rows: string[] = [];
  const payout = await partlyPaid();
  for await (const { batchId, status, reverses, transfers } of exportPayout(ann(), payout))
    for (const { toAddress, points } of transfers)
      rows.push(`${batchId} ${status} ${reverses ? `of ${reverses} ` : ""}${toAddress} ${points}`);
  expect(rows).toEqual([
    `b1 CANCELLED ${wallet(1)} 1.5`,
    `b1 CANCELLED ${wallet(2)} 1.5`,
    `b2 FINALIZED ${wallet(17)} 1.5`,
    `b2 FINALIZED ${wallet(18)} 1.5`,
    `b3 PENDING ${wallet(33)} 1.5`,
    `b3 PENDING ${wallet(34)} 1.5`,
    `back PENDING of b2 ${wallet(17)} 1.5`,
  ]);
});
