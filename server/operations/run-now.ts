import { finalizeDueBatches } from "../finalizer/finalize-due-batches";
import type { FinalizerRun } from "../finalizer/record-run";
import type { ServiceContext } from "../kernel/context";

/** A person waits for the answer: what is left is finalized by the next run. */
const BUDGET_SECONDS = 10;

/**
 * Finalizes what is due for a person, within a bounded time. The audit row comes first: nothing is done without it; what
 * was done stands in the finalizer's runs under the same name.
 */
export async function runNow(ctx: ServiceContext): Promise<FinalizerRun> {
  await ctx.db.sql`
    insert into audit_log (actor, action, target, detail, request_id)
    values (${ctx.actor}, 'finalizer.run', 'finalizer', jsonb_build_object('budgetSeconds', ${BUDGET_SECONDS}::int),
      ${ctx.requestId})`;
  return await finalizeDueBatches(ctx.db, { budgetSeconds: BUDGET_SECONDS, startedBy: ctx.actor });
}
