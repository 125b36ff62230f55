import cluster, { type Worker } from "node:cluster";
import { log } from "@/server/kernel/log";
import { answerScrapes } from "@/server/kernel/metrics/process-metrics";
import { settings } from "@/server/kernel/settings";
import { StartError, type StopList } from "./lifecycle";

const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 30_000;
/** A worker that ran this long did not fail at its start. */
const STEADY_MS = 60_000;
/** Longer than a worker's stops (`serve`, `startService`), without STOP_DELAY_SECONDS. Then it is killed. */
const STOP_SECONDS_MAX = 27;

/** Replaces a process that exits, after a wait that doubles if it ran only briefly. @throws StartError */
export async function startWorkers(
  { program, count, port }: { program: string; count: number; port: number },
  stops: StopList,
): Promise<void> {
  cluster.setupPrimary({
    exec: program,
    args: process.argv.slice(2),
    execArgv: [...new Set([...process.execArgv, "--enable-source-maps"])],
  });
  await answerScrapes();
  let isStopping = false;
  const stopSecondsMax = STOP_SECONDS_MAX + settings().STOP_DELAY_SECONDS;
  stops.add("workers", stopSecondsMax + 1, async () => {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(running.map((worker) => stopWorker(worker, stopSecondsMax)));
  });
  let started = 0;
  await new Promise<void>((resolve, reject) => {
    /** @param failures how many workers in this slot exited early, one after the other */
    const startWorker = (failures: number) => {
      const startedAt = performance.now();
      const worker = cluster.fork({ PORT: String(port) });
      worker.on("message", (message) => message === "ready" && ++started === count && resolve());
      // A failed send or start also ends the worker, which is handled there.
      worker.on("error", (error) => log().error({ error }, "worker process failed"));
      worker.once("exit", (code, signal) => {
        if (isStopping) return;
        if (started < count)
          return reject(
            new StartError(`A worker process exited during start (${signal ?? `exit code ${code}`}).`),
          );
        const isSteady = performance.now() - startedAt > STEADY_MS;
        const waitMs = isSteady ? 0 : Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** failures);
        log().error({ process: worker.process.pid, code, signal, waitMs }, "worker exited, starting another");
        setTimeout(() => isStopping || startWorker(isSteady ? 0 : failures + 1), waitMs);
      });
    };
    for (let n = 0; n < count; n++) startWorker(0);
  });
}

const stopWorker = (worker: Worker, secondsMax: number): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    const timer = setTimeout(() => worker.process.kill("SIGKILL"), secondsMax * 1000);
    worker.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    worker.process.kill("SIGTERM");
  });
