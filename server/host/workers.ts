import cluster, { type Worker } from "node:cluster";
import { log } from "../kernel/log";
import { passMetricsBetweenWorkers } from "../kernel/metrics/other-workers";
import { settings } from "../kernel/settings";
import { StartError } from "./start-error";
import type { StopList } from "./stop-all";

const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 30_000;
/** A worker that lived so long had no fault of its start. */
const STEADY_MS = 60_000;
/** A worker's own stops end sooner (`serve`, `startService`), beside the balancer's notice; then it is killed. */
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
 * Starts processes that serve one port together, and resolves when all do. Later, one that ends is replaced: at once when
 * it had served for a while, else after a wait that doubles. `stops` ends them all in order, at once.
 * @throws StartError when one ends before it serves
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

/** In a worker: tells the process that made it. */
export function sayReady(): void {
  process.send?.("ready");
}

function startWorker(workers: Workers): Worker {
  const worker = cluster.fork({ PORT: String(workers.port) });
  workers.running.add(worker);
  worker.once("exit", () => workers.running.delete(worker));
  // What cannot be sent or started shows as the end of the worker.
  worker.on("error", (error) => log().error({ error }, "a worker process failed"));
  return worker;
}

function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on("message", (message) => message === "ready" && resolve());
    worker.once("exit", (code, signal) =>
      reject(new StartError(`A worker process ended while it started (${signal ?? `exit code ${code}`}).`)),
    );
  });
}

/** @param failures how many workers in this place ended soon, one after the other */
function replaceAtItsEnd(workers: Workers, worker: Worker, failures: number): void {
  const startedAt = performance.now();
  const replace = (code: number | null, signal: string | null) => {
    if (workers.isStopping) return;
    const isSteady = performance.now() - startedAt > STEADY_MS;
    const waitMs = isSteady ? 0 : Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** failures);
    log().error({ process: worker.process.pid, code, signal, waitMs }, "a worker ended; another is started");
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
