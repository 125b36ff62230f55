import type { TransactionSql } from "postgres";
import { findBreaks, type LedgerReport, readSize } from "./check-ledger";
import { moveCheckpoint, readCheckpoint } from "./checkpoint";
import { newScope, sliceScope } from "./scope";

export interface IncrementOptions {
  /** Checks that a round takes from here on: after so many, everything old was looked at again. */
  slices: number;
  unsettledSeconds: number;
}

/**
 * Checks every account against what was checked before and what was settled since, what is new in full, and the next
 * slice of what is old from its transfers. When all is in order the checkpoint moves on; else the next check looks at
 * the same again. Needs a repeatable-read transaction.
 * @returns null when the whole ledger must be checked first
 */
export async function checkIncrement(
  tx: TransactionSql,
  options: IncrementOptions,
): Promise<LedgerReport | null> {
  const checkpoint = await readCheckpoint(tx, options.unsettledSeconds);
  if (!checkpoint) return null;
  const [fresh, slice] = [newScope(tx, checkpoint), sliceScope(tx, checkpoint)];
  const findings = await findBreaks(tx, [fresh, slice]);
  const size = await readSize(tx, [
    fresh.batches,
    tx`${slice.batches} and not coalesce(${fresh.batches}, false)`,
  ]);
  const ok = findings.length === 0;
  if (ok) await moveCheckpoint(tx, checkpoint, options.slices);
  return { ok, reach: "incremental", ...size, findings };
}
