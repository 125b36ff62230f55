import { database } from "../database";
import { databaseIsAway } from "../database-faults";
import { log } from "../log";
import { catchUpRecipients } from "../recipients/index-recipients";
import { settings } from "../settings";
import { finalizeDueBatches } from "./finalize-due-batches";

/** Time between two looks for due batches: a batch is finalized within two seconds of being due. */
const TICK_MS = 500;
const TICK_AFTER_FAILURE_MS = 2000;
/** Indexing by recipient must not keep due batches waiting. */
const INDEX_SECONDS_MAX = 1;

/** The Node host's own finalizer. `stop` waits for the tick in progress. */
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
    while (!stopped) await pause((await tick()) ? TICK_MS : TICK_AFTER_FAILURE_MS);
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

async function tick(): Promise<boolean> {
  try {
    const run = await finalizeDueBatches(database(), {
      budgetSeconds: settings().FINALIZER_BUDGET_SECONDS,
      startedBy: "scheduler",
    });
    await catchUpRecipients(database(), INDEX_SECONDS_MAX);
    return run.failure === null;
  } catch (error) {
    log().warn(
      { error, away: databaseIsAway(error) },
      "the finalizer could not look for due batches; it tries again",
    );
    return false;
  }
}
