import { setTimeout as sleep } from "node:timers/promises";
import { database } from "../kernel/database";
import { isDatabaseUnavailable } from "../kernel/database-errors";
import { log } from "../kernel/log";
import { deliverDueWebhooks } from "./deliver-due";
import { webhookRules } from "./rules";

/** How often to look for due deliveries. */
const TICK_MS = 500;
const TICK_AFTER_FAILURE_MS = 2000;
/** Runs are limited in time, so that their view of busy endpoints stays current. */
const RUN_SECONDS_MAX = 60;

/** Sends webhooks in the Node host, separate from the finalizer, so slow receivers delay no batch. `stop` waits for attempts in progress. */
export function startWebhookWorker(): { stop(): Promise<void> } {
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
    await deliverDueWebhooks(database(), { budgetSeconds: RUN_SECONDS_MAX, isStopping, ...webhookRules() });
    return true;
  } catch (error) {
    log().warn({ error, away: isDatabaseUnavailable(error) }, "webhook run failed, retrying");
    return false;
  }
}
