import { catchUpReviews } from "../batches/review/review-new-batches";
import { deleteExpired } from "../finalizer/delete-expired";
import { finalizeDueBatches } from "../finalizer/finalize-due-batches";
import { database } from "../kernel/database";
import { isDatabaseUnavailable } from "../kernel/database-errors";
import { log } from "../kernel/log";
import { settings } from "../kernel/settings";
import { catchUpRecipients } from "../recipients/index-recipients";

/** How often to look for due batches. Batches must be finalized within two seconds of being due. */
const TICK_MS = 500;
const TICK_AFTER_FAILURE_MS = 2000;
/** Indexing by recipient must not delay due batches. */
const INDEX_SECONDS_MAX = 1;
/** Nor must reviewing new batches. */
const REVIEW_SECONDS_MAX = 0.25;

const SWEEP_EVERY_MS = 60_000;
/** Nor must deleting expired rows. The next tick deletes the rest. */
const SWEEP_SECONDS_MAX = 0.5;

/** The finalizer inside the Node host. `stop` waits for the current tick. */
export function startScheduler(): { stop(): Promise<void> } {
  let stopped = false;
  let wake: () => void = () => undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    let sweepAt = 0;
    while (!stopped) {
      const isOk = await tick(async () => {
        if (performance.now() < sweepAt) return;
        sweepAt = performance.now() + SWEEP_EVERY_MS;
        const isStopping = () => stopped;
        const isSwept = await deleteExpired(database(), { budgetSeconds: SWEEP_SECONDS_MAX, isStopping });
        if (!isSwept) sweepAt = 0;
      });
      await pause(isOk ? TICK_MS : TICK_AFTER_FAILURE_MS);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

async function tick(sweep: () => Promise<void>): Promise<boolean> {
  try {
    const run = await finalizeDueBatches(database(), {
      budgetSeconds: settings().FINALIZER_BUDGET_SECONDS,
      startedBy: "scheduler",
    });
    await catchUpRecipients(database(), INDEX_SECONDS_MAX);
    await catchUpReviews(database(), REVIEW_SECONDS_MAX);
    await sweep();
    return run.failure === null;
  } catch (error) {
    log().warn({ error, away: isDatabaseUnavailable(error) }, "finalizer run failed, retrying");
    return false;
  }
}
