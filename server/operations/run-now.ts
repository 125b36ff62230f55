import { randomUUID } from "node:crypto";
import { auditAlone } from "@/server/audit/audit-alone";
import { countDue, type FinalizerRun, finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { type RequestContext, runLater, type ServiceContext } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { LONG_WORK_SECONDS_MAX } from "@/server/kernel/long-work";
import { single } from "@/server/kernel/process";
import { readSelfCheck } from "./read-state";
import { selfCheck } from "./self-check";

/** The next run finalizes the rest. */
const BUDGET_SECONDS = 10;

/** A second request gets the run under way. The audit entry comes first: nothing happens without it. */
export async function runNow(
  ctx: ServiceContext & Pick<RequestContext, "later">,
): Promise<{ runId: string }> {
  const current = single<{ runId?: string }>("run now", () => ({}));
  if (current.runId) return { runId: current.runId };
  const runId = randomUUID();
  current.runId = runId;
  try {
    const detail = { budgetSeconds: BUDGET_SECONDS };
    await auditAlone(ctx.db.sql, ctx, { action: "finalizer.run", target: "finalizer", detail });
  } catch (error) {
    delete current.runId;
    throw error;
  }
  runLater(ctx, async () => {
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

/** Starts a check of the whole ledger, with an audit entry next to its result, and does not wait for it. */
export async function checkNow(ctx: ServiceContext & Pick<RequestContext, "later">) {
  const current = single("check now", () => ({ isRunning: false }));
  const { isRunning, last } = await readSelfCheck(ctx);
  // Then another check is running, so none is started.
  const isBusy = isRunning || current.isRunning;
  if (!isBusy) {
    current.isRunning = true;
    const { actor: startedBy, requestId } = ctx;
    runLater(ctx, async () => {
      try {
        await selfCheck({ reach: "whole", startedBy, secondsMax: LONG_WORK_SECONDS_MAX, requestId });
      } catch (error) {
        // It is stored and shown as a check that did not finish.
        log().debug({ error }, "ledger check started from the console failed");
      } finally {
        current.isRunning = false;
      }
    });
  }
  // The result of this check is the first that finished at another time.
  return { isBusy, lastFinishedAt: last?.finishedAt ?? null };
}
