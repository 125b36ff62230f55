import cluster, { type Worker } from "node:cluster";
import { log } from "../kernel/log";
import { passMetricsBetweenWorkers } from "../kernel/metrics/other-workers";
import { settings } from "../kernel/settings";
import { StartError } from "./start-error";
import type { StopList } from "./stop-all";

const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 30_000;
/** A worker that ran this long did not fail at its start. */
const STEADY_MS = 60_000;
/** Longer than a worker's own stops take (`serve`, `startService`), without STOP_DELAY_SECONDS. After that it is killed. */
const STOP_SECONDS_MAX = 27;
const stopSecondsMax = () => STOP_SECONDS_MAX + settings().STOP_DELAY_SECONDS;

interface Workers {
  program: string;
  port: number;
  running: Set<Worker>;
  waits: Set<NodeJS.Timeout>;
  isStopping: boolean;
}

/**
 * Starts processes that share one port, and resolves when all are serving. A process that exits later is replaced:
 * immediately if it ran for a while, otherwise after a wait that doubles each time. `stops` stops them all together.
 * @throws StartError when one exits before it serves
 */
export async function startWorkers(
  options: { program: string; count: number; port: number },
  stops: StopList,
): Promise<void> {
  const { program, count, port } = options;
  const workers: Workers = { program, port, running: new Set(), waits: new Set(), isStopping: false };
  cluster.setupPrimary({
    exec: program,
    args: process.argv.slice(2),
    execArgv: [...new Set([...process.execArgv, "--enable-source-maps"])],
  });
  passMetricsBetweenWorkers();
  stops.add("workers", stopSecondsMax() + 1, () => stopWorkers(workers));
  const first = Array.from({ length: count }, () => startWorker(workers));
  await Promise.all(first.map(untilReady));
  for (const worker of first) replaceAtItsEnd(workers, worker, 0);
}

/** Called in a worker: notifies the primary process. */
export function notifyPrimary(): void {
  process.send?.("ready");
}

function startWorker(workers: Workers): Worker {
  const worker = cluster.fork({ PORT: String(workers.port) });
  workers.running.add(worker);
  worker.once("exit", () => workers.running.delete(worker));
  // A failed send or start also ends the worker, which is handled there.
  worker.on("error", (error) => log().error({ error }, "worker process failed"));
  return worker;
}

function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on("message", (message) => message === "ready" && resolve());
    worker.once("exit", (code, signal) =>
      reject(new StartError(`A worker process exited during start (${signal ?? `exit code ${code}`}).`)),
    );
  });
}

/** @param failures how many workers in this slot exited early, one after the other */
function replaceAtItsEnd(workers: Workers, worker: Worker, failures: number): void {
  const startedAt = performance.now();
  const replace = (code: number | null, signal: string | null) => {
    if (workers.isStopping) return;
    const isSteady = performance.now() - startedAt > STEADY_MS;
    const waitMs = isSteady ? 0 : Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** failures);
    log().error({ process: worker.process.pid, code, signal, waitMs }, "worker exited, starting another");
    const wait = setTimeout(() => {
      workers.waits.delete(wait);
      replaceAtItsEnd(workers, startWorker(workers), isSteady ? 0 : failures + 1);
    }, waitMs);
    workers.waits.add(wait);
  };
  if (worker.isDead()) replace(worker.process.exitCode, worker.process.signalCode);
  else worker.once("exit", replace);
}

async function stopWorkers(workers: Workers): Promise<void> {
  workers.isStopping = true;
  for (const wait of workers.waits) clearTimeout(wait);
  const ends = [...workers.running].map(
    (worker) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => worker.process.kill("SIGKILL"), stopSecondsMax() * 1000);
        worker.once("exit", () => {
          clearTimeout(timer);
          resolve();
        });
        worker.process.kill("SIGTERM");
      }),
  );
  await Promise.all(ends);
}
