import { setTimeout as sleep } from "node:timers/promises";
import { database } from "../../kernel/database";
import { isDatabaseUnavailable } from "../../kernel/database-errors";
import { log } from "../../kernel/log";
import { workBulk } from "./work-bulk";

/** How often to look for started jobs. */
const TICK_MS = 1000;
const TICK_AFTER_FAILURE_MS = 2000;
const RUN_SECONDS_MAX = 60;

/** Works on bulk jobs in the Node host, separate from the finalizer, so that a job delays no due batch. `stop` waits for the current batch. */
export function startBulkWorker(): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isOk = await tick(() => signal.aborted);
      await sleep(isOk ? TICK_MS : TICK_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function tick(isStopping: () => boolean): Promise<boolean> {
  try {
    await workBulk(database(), { budgetSeconds: RUN_SECONDS_MAX, isStopping });
    return true;
  } catch (error) {
    log().warn({ error, away: isDatabaseUnavailable(error) }, "bulk job run failed, retrying");
    return false;
  }
}
