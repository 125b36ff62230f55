import cluster from "node:cluster";
import { version } from "@/package.json";
import { databases } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { single } from "@/server/kernel/process";
import { settings } from "@/server/kernel/settings";

type ProcessMetrics = Awaited<ReturnType<typeof makeMetrics>>;

/** Upper bounds of the duration buckets, in seconds. The alert for slow requests uses the 1 s bucket. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const kept = () => single("processMetrics", (): { ready?: ProcessMetrics } => ({}));

const underWay = () => databases().reduce((sum, { work }) => sum + work.underWay, 0);

/** The metrics so far; null without METRICS_TOKEN, or while the library is still loading. */
export function processMetrics(): ProcessMetrics | null {
  const { ready } = kept();
  if (ready) return ready;
  if (settings().METRICS_TOKEN) void startMetrics();
  return null;
}

/** Loads the library, which costs nothing without METRICS_TOKEN, and starts counting. */
export const startMetrics = (): Promise<ProcessMetrics> =>
  single("processMetrics being made", async () => {
    const made = await makeMetrics();
    kept().ready = made;
    return made;
  });

async function makeMetrics() {
  const { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import(
    "prom-client"
  );
  const registry = new Registry();
  const registers = [registry];
  if (cluster.worker) {
    registry.setDefaultLabels({ worker: String(cluster.worker.id) });
    AggregatorRegistry.setRegistries(registry);
    // Answers the primary process from now on.
    new AggregatorRegistry();
  }
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "ptb_build_info",
    help: "Always 1; the label has the service's version.",
    labelNames: ["version"],
    registers,
  }).set({ version }, 1);
  const poolMax = settings().DATABASE_POOL_MAX;
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const size = "Number of this process's database connections, including the console's.";
  const inUse = "Statements and transactions in progress, up to the pool's size.";
  const waiting = "Statements and transactions waiting for a connection.";
  gauge("ptb_pool_size", size, () => poolMax);
  gauge("ptb_pool_in_use", inUse, () => Math.min(underWay(), poolMax));
  gauge("ptb_pool_waiting", waiting, () => Math.max(0, underWay() - poolMax));
  return {
    registry,
    requests: new Counter({
      name: "ptb_http_requests_total",
      help: "Answered requests, by method, route template and status.",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    durations: new Histogram({
      name: "ptb_http_request_duration_seconds",
      help: "Request duration, by method and route template.",
      labelNames: ["method", "route"],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    rateLimited: new Counter({
      name: "ptb_rate_limited_total",
      help: "Requests and sign-in attempts rejected with 429, by policy.",
      labelNames: ["policy"],
      registers,
    }),
    requestsNotKept: new Counter({
      name: "ptb_request_log_dropped_total",
      help:
        "Requests that the request log should have kept, by what prevented it: " +
        "a full queue, the contract's hour, the database.",
      labelNames: ["reason"],
      registers,
    }),
  };
}

const SCRAPE = "scrape";
/** Null when a worker did not answer. */
type Scraped = { scraped: string | null };

/** Runs in the primary process, since only it can reach all workers. */
export async function answerScrapes(): Promise<void> {
  if (!settings().METRICS_TOKEN) return;
  const { AggregatorRegistry } = await import("prom-client");
  const all = new AggregatorRegistry();
  cluster.on("message", async (worker, message) => {
    if (message !== SCRAPE) return;
    const scraped = await all.clusterMetrics().catch((error: unknown) => {
      log().warn({ error }, "a worker did not report its metrics");
      return null;
    });
    if (worker.isConnected()) worker.send({ scraped } satisfies Scraped);
  });
}

/** Workers share a port, so one reports for all, or only for itself while another does not answer. */
export async function metricsText(): Promise<string> {
  const { registry } = await startMetrics();
  if (!cluster.isWorker || !process.connected) return registry.metrics();
  const scraped = await new Promise<string | null>((resolve) => {
    const onMessage = (message: Partial<Scraped> | null) => {
      if (message?.scraped === undefined) return;
      process.off("message", onMessage);
      resolve(message.scraped);
    };
    process.on("message", onMessage);
    process.send?.(SCRAPE);
  });
  return scraped ?? registry.metrics();
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts an answered request. @param route a template from a closed list, never the raw path */
export function countRequest(method: string, route: string, status: number, startedAt: number): void {
  const metrics = processMetrics();
  if (!metrics) return;
  const known = METHODS.has(method) ? method : "other";
  metrics.requests.inc({ method: known, route, status });
  metrics.durations.observe({ method: known, route }, (performance.now() - startedAt) / 1000);
}
