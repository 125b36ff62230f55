import type { Database } from "@/db/client";

export interface FinalizerRun {
  batchesFinalized: number;
  transfersSettled: number;
  /** Longest delay between due and finalized, in seconds. */
  lagSecondsMax: number;
  /** Due batches that remain, at most 10,000, because time ran out or another finalizer claimed them. */
  dueLeft: number;
  /** An error message for staff. Null if the run succeeded. */
  failure: string | null;
}

/**
 * Stores a run that did something or failed, and adds it to the totals. Every run updates the heartbeat, at most every two
 * seconds. A run that is killed before this point is not counted.
 */
export async function recordRun(
  db: Database,
  run: FinalizerRun,
  origin: { startedAt: Date; startedBy: string },
): Promise<void> {
  const { batchesFinalized, transfersSettled } = run;
  await db.sql`
    insert into finalizer_heartbeat as kept (singleton, last_tick_at, batches_finalized, transfers_settled)
    values (true, now(), ${batchesFinalized}, ${transfersSettled})
    on conflict (singleton) do update set last_tick_at = now(),
      batches_finalized = kept.batches_finalized + excluded.batches_finalized,
      transfers_settled = kept.transfers_settled + excluded.transfers_settled
    where kept.last_tick_at < now() - interval '2 seconds' or excluded.batches_finalized > 0`;
  if (batchesFinalized === 0 && !run.failure) return;
  await db.sql`
    insert into finalizer_runs (started_by, started_at, batches_finalized, transfers_settled, lag_seconds_max, failure)
    values (${origin.startedBy}, ${origin.startedAt.toISOString()}::timestamptz, ${batchesFinalized},
      ${transfersSettled}, ${run.lagSecondsMax}, ${run.failure})`;
}
