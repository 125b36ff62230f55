import { type FinalizerRun, finalizeDueBatches } from "../finalizer/finalize-due-batches";
import type { ServiceContext } from "../kernel/context";

/** Short, because a user waits for the reply. The next run finalizes the rest. */
const BUDGET_SECONDS = 10;

/**
 * Finalizes due batches on request, within a time limit. The audit entry is written first, so nothing happens without it.
 * The finalizer's runs show the result under the same name.
 */
export async function runNow(ctx: ServiceContext): Promise<FinalizerRun> {
  await ctx.db.sql`
    insert into audit_log (actor, action, target, detail, request_id)
    values (${ctx.actor}, 'finalizer.run', 'finalizer', jsonb_build_object('budgetSeconds', ${BUDGET_SECONDS}::int),
      ${ctx.requestId})`;
  return await finalizeDueBatches(ctx.db, { budgetSeconds: BUDGET_SECONDS, startedBy: ctx.actor });
}
