import { randomUUID } from "node:crypto";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { type Claim, settleClaim } from "@/server/ledger/settle";
import type { Transaction } from "./step-by-step";

/** A finalizer runs two transactions. It may crash between them or during the second. */
export const finalizing = (ends: Transaction["ends"]): Transaction[] => {
  let claim: Claim & { batches: number } = { id: randomUUID(), contracts: null, batches: 0 };
  return [
    {
      ends: "commit",
      run: async (own) => {
        claim = await claimDueBatches(own, claim.id);
      },
    },
    { ends, run: async (own) => claim.batches > 0 && (await settleClaim(own, claim)) },
  ];
};
