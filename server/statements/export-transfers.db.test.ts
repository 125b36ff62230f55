import { expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { moveBatch } from "@/testing/move-in-time";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { parsePoints } from "../kernel/values/points";
import { type ExportTransfersInput, exportTransfers } from "./export-transfers";
import { makeStatement } from "./make-statement";

const { db, context, newContract, submit, finalize } = useLedger();

type Period = Omit<ExportTransfersInput, "contractAddress">;

async function exported(contractAddress: string, period: Period) {
  const all = [];
  for await (const batch of await exportTransfers(context(), { contractAddress, ...period })) all.push(batch);
  return all;
}
const OCTOBER = { from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z" };

test("an export of transfers has each transfer of the batches finalized in the period once, and adds up to what the statement calls sent", async () => {
  const contract = await newContract();
  await db.sql`update contracts set created_at = '2026-01-01' where address = ${addressToBytes(contract)}`;
  const created = "2026-09-30T23:59:59.999Z";
  for (const [batchId, finalizedAt] of [
    ["too early", "2026-09-30T23:59:59.999Z"],
    ["first", "2026-10-01T00:00:00.000Z"],
    ["last", "2026-10-31T23:59:59.999Z"],
    ["too late", "2026-11-01T00:00:00.000Z"],
  ] as const) {
    await submit(
      contract,
      [
        [1, "1.5"],
        [2, "0.01"],
      ],
      { batchId },
    );
    await finalize();
    await moveBatch(db, { contractAddress: contract, batchId }, { createdAt: created, finalizedAt });
  }
  const batches = await exported(contract, { by: "finalized", ...OCTOBER });
  expect(batches.map(({ batchId }) => batchId)).toEqual(["first", "last"]);
  expect(batches[0]).toEqual({
    batchId: "first",
    reverses: null,
    pointType: "PHASE2_POINTS",
    status: "FINALIZED",
    createdAt: created,
    finalizeAt: created,
    finalizedAt: "2026-10-01T00:00:00.000Z",
    submittedBy: "token:test",
    cancelledAt: null,
    cancelledBy: null,
    cancelReason: null,
    transfers: [
      { toAddress: wallet(1), points: "1.5" },
      { toAddress: wallet(2), points: "0.01" },
    ],
  });
  const sum = batches
    .flatMap(({ transfers }) => transfers)
    .reduce((all, { points }) => all + parsePoints(points), 0n);
  const { statements } = await makeStatement(context(), { contractAddress: contract, month: "2026-10" });
  expect(sum).toBe(parsePoints(statements[0]!.sent));
});
