import { randomUUID } from "node:crypto";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { grantPoints } from "@/server/ledger/grant-points";
import { indexRecipients } from "@/server/recipients/index-recipients";
import { batchOf, finalize, newContract, submit, testContext } from "./factories";
import type { TestDatabase } from "./test-database";

/** Waits, so that later batches have another millisecond. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

/**
 * A balanced ledger with a batch of every state (`settled`, `given-back`, `claimed`, `waiting`), of an ON_DEMAND contract and of
 * one that was granted points twice, and a batch (`fresh`) that is not in the index by recipient yet.
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
  await finalize(db);
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
