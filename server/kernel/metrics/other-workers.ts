import cluster from "node:cluster";
import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";
import { log } from "../log";

/** A worker that is starting or hanging is left out of the scrape. */
const WAIT_MS = 1000;

type WorkerMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** A worker asks. The primary process forwards the question, reports how many workers it asked, and forwards their answers. */
type Message =
  | { metrics: "ask"; id: number }
  | { metrics: "asked"; id: number; count: number }
  | { metrics: "forwarded"; id: number; to: number }
  | { metrics: "reply"; id: number; to: number; reply: WorkerMetrics };

const toMessage = (given: unknown): Message | null =>
  typeof given === "object" && given !== null && "metrics" in given ? (given as Message) : null;

/** Runs in the primary process, since workers can only reach each other through it. */
export function passMetricsBetweenWorkers(): void {
  cluster.on("message", (from, given: unknown) => {
    const message = toMessage(given);
    if (message?.metrics === "reply") cluster.workers?.[message.to]?.send(message);
    if (message?.metrics !== "ask") return;
    const others = Object.values(cluster.workers ?? {}).filter(
      (worker) => worker?.isConnected() && worker.id !== from.id,
    );
    for (const worker of others) worker?.send({ metrics: "forwarded", id: message.id, to: from.id });
    from.send({ metrics: "asked", id: message.id, count: others.length });
  });
}

/** Runs in a worker: answers the other workers' questions. */
export function answerOtherWorkers(registry: Registry): void {
  process.on("message", (given) => {
    const message = toMessage(given);
    if (message?.metrics !== "forwarded") return;
    const { id, to } = message;
    registry.getMetricsAsJSON().then(
      (reply) => process.connected && process.send?.({ metrics: "reply", id, to, reply } satisfies Message),
      (error: unknown) => log().warn({ error }, "the metrics could not be sent to another worker"),
    );
  });
}

let asked = 0;

/** Metrics of the host's other workers that answer within a second. The label `worker` says which worker a series is from. */
export function askOtherWorkers(): Promise<WorkerMetrics[]> {
  if (!cluster.isWorker || !process.connected) return Promise.resolve([]);
  // Ids must be unique across the two copies of this module in a process: the host's and Next's.
  const id = performance.now() + asked++;
  const reply: WorkerMetrics[] = [];
  let count = Number.POSITIVE_INFINITY;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      process.off("message", onMessage);
      resolve(reply);
    };
    const onMessage = (given: unknown) => {
      const message = toMessage(given);
      if (message?.id !== id) return;
      if (message.metrics === "reply") reply.push(message.reply);
      if (message.metrics === "asked") count = message.count;
      if (reply.length >= count) end();
    };
    const timer = setTimeout(end, WAIT_MS);
    process.on("message", onMessage);
    process.send?.({ metrics: "ask", id } satisfies Message);
  });
}

/** The series of all workers as one text. */
export async function textOfAll(registry: Registry, others: readonly WorkerMetrics[]): Promise<string> {
  if (others.length === 0) return registry.metrics();
  const { AggregatorRegistry } = await import("prom-client");
  const all = [await registry.getMetricsAsJSON(), ...others];
  // No two workers share a series, so the sum is each one's own value. Other aggregators would drop some.
  const summed = all.map((each) => each.map((metric) => ({ ...metric, aggregator: "sum" as const })));
  return AggregatorRegistry.aggregate(summed).metrics();
}
