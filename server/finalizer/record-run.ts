import type { Database } from "@/db/client";
import type { FinalizerRun } from "./finalize-due-batches";

/** Keeps a run that did something or failed; every run leaves its heartbeat, at most once in two seconds. */
export async function recordRun(
  db: Database,
  run: FinalizerRun,
  origin: { startedAt: Date; startedBy: string },
): Promise<void> {
  await db.sql`
    insert into finalizer_heartbeat (singleton, last_tick_at) values (true, now())
    on conflict (singleton) do update set last_tick_at = now()
    where finalizer_heartbeat.last_tick_at < now() - interval '2 seconds'`;
  if (run.batchesFinalized === 0 && !run.failure) return;
  await db.sql`
    insert into finalizer_runs (started_by, started_at, batches_finalized, transfers_settled, lag_seconds_max, failure)
    values (${origin.startedBy}, ${origin.startedAt.toISOString()}::timestamptz, ${run.batchesFinalized},
      ${run.transfersSettled}, ${run.lagSecondsMax}, ${run.failure})`;
}
