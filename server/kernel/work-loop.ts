import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable, isStatementEnded } from "./database-errors";
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

/**
 * Does the jobs one after the other, also after one that failed, unless the database is away.
 * @throws the first failure, at the end; the others are logged
 */
export async function doEach(jobs: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const job of jobs) {
    try {
      await job();
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isStatementEnded(error)) throw error;
      failures.push(error);
    }
  }
  for (const error of failures.slice(1)) log().warn({ error }, "another job failed, retrying");
  if (failures.length > 0) throw failures[0];
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
