import { setTimeout as sleep } from "node:timers/promises";
import { database } from "../kernel/database";
import { databaseIsAway } from "../kernel/database-faults";
import { log } from "../kernel/log";
import { deliverDueWebhooks } from "./deliver-due";
import { webhookRules } from "./rules";

/** Time between two looks for due deliveries. */
const TICK_MS = 500;
const TICK_AFTER_FAILURE_MS = 2000;
/** A run ends now and then, so that what it knows of busy endpoints cannot grow old. */
const RUN_SECONDS_MAX = 60;

/** The Node host's own sender, beside the finalizer: slow receivers keep no batch waiting. `stop` waits for the tries in progress. */
export function startWebhookWorker(): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isWell = await tick(() => signal.aborted);
      await sleep(isWell ? TICK_MS : TICK_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
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
    await deliverDueWebhooks(database(), { budgetSeconds: RUN_SECONDS_MAX, isStopping, ...webhookRules() });
    return true;
  } catch (error) {
    log().warn(
      { error, away: databaseIsAway(error) },
      "the webhook worker could not look for due deliveries; it tries again",
    );
    return false;
  }
}
