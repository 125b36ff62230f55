import { catchUpReviews } from "../batches/review/review-new-batches";
import { deleteExpired } from "../finalizer/delete-expired";
import { finalizeDueBatches } from "../finalizer/finalize-due-batches";
import { database } from "../kernel/database";
import { settings } from "../kernel/settings";
import { startWorkLoop } from "../kernel/work-loop";
import { catchUpRecipients } from "../recipients/index-recipients";

/** How often to look for due batches. Batches must be finalized within two seconds of being due. */
const TICK_MS = 500;
/** None of these may delay due batches. The next tick continues. */
const INDEX_SECONDS_MAX = 1;
const REVIEW_SECONDS_MAX = 0.25;
const SWEEP_SECONDS_MAX = 0.5;
const SWEEP_EVERY_MS = 60_000;

/** The finalizer inside the Node host. */
export function startScheduler(): { stop(): Promise<void> } {
  let sweepAt = 0;
  return startWorkLoop({
    everyMs: TICK_MS,
    failure: "finalizer run failed, retrying",
    async work(isStopping) {
      const run = await finalizeDueBatches(database(), {
        budgetSeconds: settings().FINALIZER_BUDGET_SECONDS,
        startedBy: "scheduler",
      });
      await catchUpRecipients(database(), INDEX_SECONDS_MAX);
      await catchUpReviews(database(), REVIEW_SECONDS_MAX);
      if (performance.now() >= sweepAt) {
        sweepAt = performance.now() + SWEEP_EVERY_MS;
        const isSwept = await deleteExpired(database(), { budgetSeconds: SWEEP_SECONDS_MAX, isStopping });
        if (!isSwept) sweepAt = 0;
      }
      return run.failure === null;
    },
  });
}
