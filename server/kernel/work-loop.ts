import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "./database-errors";
import { log } from "./log";

const AFTER_FAILURE_MS = 2000;

interface WorkLoop {
  /** Before the first time; 0 when absent. */
  firstMs?: number;
  everyMs: number;
  /** Returns `false` if it failed and has logged that itself. */
  work: (isStopping: () => boolean) => Promise<unknown>;
  /** What the log says when `work` throws. */
  failure: string;
}

/** Repeats `work`, after a longer pause when it failed. `stop` waits for work in progress. */
export function startWorkLoop({ firstMs = 0, everyMs, work, failure }: WorkLoop): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isAway = false;
  async function tick(): Promise<boolean> {
    try {
      const isOk = (await work(() => signal.aborted)) !== false;
      if (isAway && isOk) log().info(`${failure}: the database is back`);
      if (isOk) isAway = false;
      return isOk;
    } catch (error) {
      const wasAway = isAway;
      isAway = isDatabaseUnavailable(error);
      // An outage is logged once, not on every tick.
      if (!(wasAway && isAway)) log().warn({ error, away: isAway }, failure);
      return false;
    }
  }
  const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
  async function run(): Promise<void> {
    await rest(firstMs);
    while (!signal.aborted) await rest((await tick()) ? everyMs : AFTER_FAILURE_MS);
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
