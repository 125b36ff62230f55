import { expect, test } from "vitest";
import { setRule } from "@/testing/set-rule";
import { useLedger } from "@/testing/use-ledger";
import { approveBatch } from "../change/approve-batch";
import { cancelBatch } from "../change/cancel-batch";
import { holdBatch } from "../change/hold-batch";
import { exportBatches, withOutcomes } from "./export-batches";
import { listConsoleBatches } from "./list-console-batches";

const { db, context, newContract, submit, finalize } = useLedger();
const ANN = "staff:ann@example.com";
const NONE = {
  finalizedAt: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
  heldBy: null,
  holdReason: null,
};

async function exported(contractAddress: string) {
  const rows = [];
  for await (const page of exportBatches(context(), { contractAddress }, "ASC")) rows.push(...page);
  return rows;
}

test("an exported batch has when it was finalized or cancelled, by whom and why, or who has it on hold", async () => {
  const contract = await newContract();
  await submit(contract, [[1, "1"]], { batchId: "finalized" });
  await finalize();
  for (const batchId of ["cancelled", "held", "held and cancelled", "pending"])
    await submit(contract, [[1, "1"]], { batchId, secondsToFinalize: 3600 });
  const key = (batchId: string, reason: string) => ({ contractAddress: contract, batchId, reason });
  await cancelBatch(context(ANN), key("cancelled", "sent twice"));
  for (const batchId of ["held", "held and cancelled"])
    await holdBatch(context(ANN), key(batchId, "under review"));
  await cancelBatch(context(), { contractAddress: contract, batchId: "held and cancelled" });
  const rows = await exported(contract);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(rows.map(({ id }) => id)).toEqual([
    "finalized",
    "cancelled",
    "held",
    "held and cancelled",
    "pending",
  ]);
  expect(rows).toMatchObject([
    { ...NONE, finalizedAt: at },
    { ...NONE, cancelledAt: at, cancelledBy: ANN, cancelReason: "sent twice" },
    { ...NONE, heldAt: at, heldBy: ANN, holdReason: "under review" },
    { ...NONE, cancelledAt: at, cancelledBy: "token:test" },
    NONE,
  ]);
});

test("an exported batch says whether it awaits approval, and who approved it when", async () => {
  const contract = await newContract();
  await setRule(db, contract, { threshold: "1" });
  for (const batchId of ["approved", "awaiting"])
    await submit(contract, [[1, "1"]], { batchId, secondsToFinalize: 3600 });
  await approveBatch(context(ANN), { contractAddress: contract, batchId: "approved", reason: "checked" });
  expect(await exported(contract)).toMatchObject([
    { awaitsApproval: false, approvedAt: expect.stringMatching(/^\d{4}-.*Z$/), approvedBy: ANN },
    { awaitsApproval: true, approvedAt: null, approvedBy: null },
  ]);
});

test("a batch that is cancelled while its page is exported is not PENDING with a time of cancelling", async () => {
  const contract = await newContract();
  await submit(contract, [[1, "1"]], { batchId: "b", secondsToFinalize: 3600 });
  const page = await listConsoleBatches(context(), { contractAddress: contract });
  await cancelBatch(context(), { contractAddress: contract, batchId: "b" });
  expect(await withOutcomes(db, page.batches)).toMatchObject([{ status: "PENDING", ...NONE }]);
});
