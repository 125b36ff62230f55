import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { crashPoint } from "../kernel/crash-point";
import { databaseIsAway, sqlFault } from "../kernel/database-faults";
import { log } from "../kernel/log";
import { type Settled, settleClaim } from "../ledger/settle";
import { claimDueBatches, releaseClaim } from "./claim-due-batches";
import { type FinalizerRun, recordRun } from "./record-run";

export interface FinalizerOptions {
  budgetSeconds: number;
  /** `cron`, `scheduler`, `ops` or `staff:<email>`. */
  startedBy: string;
}

/** Until a batch that was refused by itself is tried again. */
const RETRY_SECONDS = 5;
const DUE_COUNT_MAX = 10_000;

/**
 * Claims and settles due batches, chunk by chunk, until none is left or the time budget ends. Safe to run any number at once.
 * The batches of a refused chunk come next, one at a time, so that only what is refused by itself has to wait.
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
      log().error({ error, claimId: claim.id }, "settling failed; the claim is given back");
      await releaseClaim(db, claim, claim.batches > 1 ? 0 : RETRY_SECONDS).catch(() => undefined);
      if (databaseIsAway(error)) break;
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
      (select 1 from batches where status = 'PENDING' and held_at is null and finalize_at <= now() limit ${DUE_COUNT_MAX})
      union all
      (select 1 from batches where status = 'FINALIZING' limit ${DUE_COUNT_MAX})
    ) as due`;
  return row!.count;
}

function failureWords(error: unknown): string {
  const fault = sqlFault(error);
  if (fault)
    return `The database refused to settle (SQLSTATE ${fault.code}${fault.constraint ? `, ${fault.constraint}` : ""}).`;
  return "The database did not answer while settling.";
}
