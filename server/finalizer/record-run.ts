import type { Database } from "@/db/client";

export interface FinalizerRun {
  batchesFinalized: number;
  transfersSettled: number;
  /** Longest time between due and finalized, seconds. */
  lagSecondsMax: number;
  /** Due batches that are left, at most 10,000: the time budget ended, or another finalizer holds them. */
  dueLeft: number;
  /** In words for operators; null when all went well. */
  failure: string | null;
}

/**
 * Keeps a run that did something or failed, and adds to what was settled in all; every run leaves its heartbeat, at most
 * once in two seconds. A run that is killed before it comes here is not in these figures.
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
