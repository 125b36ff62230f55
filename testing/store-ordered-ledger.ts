import { randomUUID } from "node:crypto";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { grantPoints } from "@/server/ledger/issuances";
import { indexRecipients } from "@/server/recipients/index-recipients";
import { batchOf, finalize, LIMITS, newContract, submit, testContext, wallet } from "./factories";
import type { TestDatabase } from "./test-database";

/** Waits, so that later batches have another millisecond. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

/**
 * A balanced ledger with a batch of every state (`settled`, `given-back`, `claimed`, `waiting`), of an ON_DEMAND contract and of
 * one that was granted points twice, and a batch (`fresh`) that is not in the index by recipient yet. One batch (`paid`) is taken
 * back: a row by a finalized reversal (`taken-back`), a row by a pending one (`taking-back`); another reversal was cancelled
 * (`kept`).
 */
export async function storeOrderedLedger(db: TestDatabase): Promise<{ onDemand: string; funded: string }> {
  const onDemand = await newContract(db);
  const funded = await newContract(db, { issuance: "PREFUNDED", granted: "1000" });
  await grantPoints(testContext(db), { contractAddress: funded, pointType: "PHASE2_POINTS", points: "5" });
  const send = async (batchId: string, rows: [number, string][], secondsToFinalize = 0) => {
    for (const sender of [onDemand, funded])
      await submit(db, batchOf(sender, rows, { batchId, secondsToFinalize }));
  };
  const settled: [number, string][] = [
    [1, "10.5"],
    [2, "0.25"],
  ];
  await send("settled", settled);
  await send("given-back", settled);
  for (const contractAddress of [onDemand, funded])
    await cancelBatch(testContext(db), { contractAddress, batchId: "given-back" });
  await send("paid", [
    [6, "4"],
    [7, "2.5"],
  ]);
  await finalize(db);
  const takeBack = async (reversalId: string, to: number, secondsToFinalize = 0) => {
    for (const contractAddress of [onDemand, funded]) {
      const input = {
        contractAddress,
        batchId: "paid",
        toAddresses: [wallet(to)],
        reversalId,
        secondsToFinalize,
      };
      await reverseBatch(testContext(db), LIMITS, input);
    }
  };
  await takeBack("taken-back", 6);
  await finalize(db);
  await takeBack("kept", 7, 3600);
  for (const contractAddress of [onDemand, funded])
    await cancelBatch(testContext(db), { contractAddress, batchId: "kept" });
  await takeBack("taking-back", 7, 3600);
  await send("claimed", [[4, "2"]]);
  await claimDueBatches(db, randomUUID());
  const waiting: [number, string][] = [
    [1, "7"],
    [3, "0.01"],
  ];
  await send("waiting", waiting, 3600);
  await pause();
  await indexRecipients(db);
  await pause();
  await send("fresh", [[5, "3"]], 3600);
  return { onDemand, funded };
}
