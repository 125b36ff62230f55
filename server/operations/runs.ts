import { randomUUID } from "node:crypto";
import { countDue, type FinalizerRun, finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import type { ServiceContext } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { single } from "@/server/kernel/process";
import type { RequestContext } from "@/server/kernel/trpc-context";

/** The next run finalizes the rest. */
const BUDGET_SECONDS = 10;

/**
 * Starts to finalize due batches, within a time limit, and does not wait for it: the caller asks for the run. One run at a
 * time in this process; a second request gets the run that is under way. The audit entry is written first, so nothing
 * happens without it.
 */
export async function runNow(
  ctx: ServiceContext & Pick<RequestContext, "later">,
): Promise<{ runId: string }> {
  const current = single<{ runId?: string }>("run now", () => ({}));
  if (current.runId) return { runId: current.runId };
  const runId = randomUUID();
  current.runId = runId;
  try {
    await ctx.db.sql`
      insert into audit_log (actor, action, target, detail, request_id)
      values (${ctx.actor}, 'finalizer.run', 'finalizer', jsonb_build_object('budgetSeconds', ${BUDGET_SECONDS}::int),
        ${ctx.requestId})`;
  } catch (error) {
    delete current.runId;
    throw error;
  }
  const later = ctx.later ?? ((work) => void work());
  later(async () => {
    try {
      await finalizeDueBatches(database(), { budgetSeconds: BUDGET_SECONDS, startedBy: ctx.actor, runId });
    } catch (error) {
      log().error({ error, runId }, "a run started from the console failed");
    } finally {
      delete current.runId;
    }
  });
  return { runId };
}

/** The result of a run that `runNow` started; null until it ends. */
export async function readRun(
  { db }: ServiceContext,
  { runId }: { runId: string },
): Promise<FinalizerRun | null> {
  const [run] = await db.sql<Omit<FinalizerRun, "dueLeft">[]>`
    select batches_finalized as "batchesFinalized", transfers_settled as "transfersSettled",
      lag_seconds_max as "lagSecondsMax", failure
    from finalizer_runs where id = ${runId}`;
  return run ? { ...run, dueLeft: await countDue(db) } : null;
}

const RUNS_MAX = 30;
/** How many recent runs to search for failures, which are rare and not indexed. */
const LOOKED_AT_MAX = 5_000;

export interface RecentRun {
  id: string;
  startedBy: string;
  finishedAt: string;
  seconds: number;
  batchesFinalized: number;
  transfersSettled: number;
  lagSecondsMax: number;
  /** An error message for staff. Null if the run succeeded. */
  failure: string | null;
}

/** The last runs that finalized something or failed, newest first. Optionally only failed runs. */
export async function listRuns(
  { db: { sql } }: ServiceContext,
  input: { failedOnly: boolean },
): Promise<RecentRun[]> {
  const rows = await sql<RecentRun[]>`
    select id, started_by as "startedBy",
      to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finishedAt",
      round(greatest(0, extract(epoch from finished_at - started_at)), 2)::float8 as seconds,
      batches_finalized as "batchesFinalized", transfers_settled as "transfersSettled",
      lag_seconds_max as "lagSecondsMax", failure
    from (select * from finalizer_runs order by finished_at desc limit ${LOOKED_AT_MAX}) as last
    where ${input.failedOnly ? sql`failure is not null` : sql`(batches_finalized > 0 or failure is not null)`}
    order by finished_at desc limit ${RUNS_MAX}`;
  return [...rows];
}
