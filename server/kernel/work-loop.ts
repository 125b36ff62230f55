import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "./database-errors";
import { log } from "./log";

const AFTER_FAILURE_MS = 2000;

interface WorkLoop {
  everyMs: number;
  /** Returns `false` if it failed and has logged that itself. */
  work: (isStopping: () => boolean) => Promise<unknown>;
  /** What the log says when `work` throws. */
  failure: string;
}

/** Repeats `work` in the Node host, after a longer pause when it failed. `stop` waits for work in progress. */
export function startWorkLoop({ everyMs, work, failure }: WorkLoop): { stop(): Promise<void> } {
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
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isOk = await tick();
      await sleep(isOk ? everyMs : AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
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

/** Runs `work`, which must not throw, after `firstMs` and then every `everyMs`, unless it is still running. `stop` waits for it. */
export function startTimer(
  firstMs: number,
  everyMs: number,
  work: () => Promise<void>,
): { stop(): Promise<void> } {
  let current: Promise<void> | undefined;
  const run = () => {
    current ??= work().finally(() => {
      current = undefined;
    });
  };
  const first = setTimeout(run, firstMs);
  const timer = setInterval(run, everyMs);
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      await current;
    },
  };
}
