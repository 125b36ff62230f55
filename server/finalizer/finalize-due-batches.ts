import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { crashPoint } from "../kernel/crash-point";
import { isDatabaseUnavailable, postgresError } from "../kernel/database-errors";
import { log } from "../kernel/log";
import { type Settled, settleClaim } from "../ledger/settle";
import { claimDueBatches, releaseClaim } from "./claim-due-batches";
import { type FinalizerRun, recordRun } from "./record-run";

export interface FinalizerOptions {
  budgetSeconds: number;
  /** `cron`, `scheduler`, `ops` or `staff:<email>`. */
  startedBy: string;
}

/** Delay before retrying a batch that failed on its own. */
const RETRY_SECONDS = 5;
const DUE_COUNT_MAX = 10_000;

/**
 * Claims and settles due batches, chunk by chunk, until none are left or the time budget ends. Safe to run concurrently.
 * The batches of a failed chunk are retried next, one at a time, so that only the batch that causes the failure waits.
 */
export async function finalizeDueBatches(db: Database, options: FinalizerOptions): Promise<FinalizerRun> {
  const startedAt = new Date();
  const endsAt = performance.now() + options.budgetSeconds * 1000;
  const total: Settled = { batches: 0, transfers: 0, lagSecondsMax: 0 };
  let failure: string | null = null;
  while (performance.now() < endsAt) {
    const claim = await claimDueBatches(db, randomUUID());
    if (claim.batches === 0) break;
    crashPoint("after-claim");
    try {
      const settled = await settleClaim(db, claim);
      crashPoint("after-settle");
      total.batches += settled.batches;
      total.transfers += settled.transfers;
      total.lagSecondsMax = Math.max(total.lagSecondsMax, settled.lagSecondsMax);
    } catch (error) {
      failure = failureWords(error);
      log().error({ error, claimId: claim.id }, "settling failed, claim released");
      await releaseClaim(db, claim, claim.batches > 1 ? 0 : RETRY_SECONDS).catch(() => undefined);
      if (isDatabaseUnavailable(error)) break;
    }
  }
  const run: FinalizerRun = {
    batchesFinalized: total.batches,
    transfersSettled: total.transfers,
    lagSecondsMax: total.lagSecondsMax,
    dueLeft: await countDue(db),
    failure,
  };
  await recordRun(db, run, { startedAt, startedBy: options.startedBy });
  return run;
}

async function countDue(db: Database): Promise<number> {
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::int as count from (
      (select 1 from batches where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now() limit ${DUE_COUNT_MAX})
      union all
      (select 1 from batches where status = 'FINALIZING' limit ${DUE_COUNT_MAX})
    ) as due`;
  return row!.count;
}

function failureWords(error: unknown): string {
  const refusal = postgresError(error);
  if (refusal)
    return `Finalizing failed: the database returned SQLSTATE ${refusal.code}${refusal.constraint ? ` (${refusal.constraint})` : ""}.`;
  return "Finalizing failed: the database did not respond.";
}
