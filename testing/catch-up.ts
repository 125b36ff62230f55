import type { Database } from "@/db/client";
import { reviewNewBatches } from "@/server/batches/review/review-new-batches";
import { indexRecipients } from "@/server/ledger/index-recipients";

/** Indexes all batches by recipient, which waits for the millisecond to end. @returns their number */
export async function indexAll(db: Database): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return await untilNone(() => indexRecipients(db));
}

/** Indexes and reviews all batches. @returns the number reviewed */
export async function reviewAll(db: Database): Promise<number> {
  await indexAll(db);
  return await untilNone(() => reviewNewBatches(db));
}

async function untilNone(work: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let done = await work(); done > 0; done = await work()) total += done;
  return total;
}

/**
 * Lets other finalizers take over every claim that nobody works on. It waits for no lock: one that waits for
 * a finalizer's second row while it holds the first is a deadlock.
 */
export const endLeases = (db: Database) =>
  db.sql`update batches set lease_until = now() - interval '1 second'
    where (contract_address, seq) in (
      select contract_address, seq from batches where status = 'FINALIZING' for update skip locked)`;
