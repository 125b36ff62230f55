import type { TransactionSql } from "postgres";
import { findBreaks, type LedgerReport, readSize } from "./check-ledger";
import { moveCheckpoint, readCheckpoint } from "./checkpoint";
import { newScope, sliceScope } from "./scope";

export interface IncrementOptions {
  /** Checks per round. After this many, all old data has been checked again. */
  slices: number;
  unsettledSeconds: number;
}

/**
 * Checks all accounts against the checkpoint plus what was settled since, all new batches, and the next slice of old ones.
 * Without findings the checkpoint moves on. Otherwise the next check reads the same data again. Needs a repeatable-read
 * transaction.
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
