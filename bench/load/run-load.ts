import { HttpConnection } from "./http-connection";
import type { LoadPlan, LoadResult } from "./load-plan";
import { makeRequests } from "./make-requests";

/** One call after the other on each connection, until the time is over. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const requests = makeRequests(plan);
  const connections = await Promise.all(
    Array.from({ length: plan.connections }, () => HttpConnection.open(plan.url)),
  );
  let next = 0;
  let refused = 0;
  let firstRefusal: string | null = null;
  const drive = await driveFor(plan, connections, async (connection) => {
    const reply = await connection.send(requests[next++ % requests.length]!);
    if (reply.status === 200) return;
    refused++;
    firstRefusal ??= reply.bytes.toString("utf8").slice(0, 600);
  });
  for (const connection of connections) connection.close();
  return { ...drive, refused, firstRefusal };
}

/** Lets every one of `workers` do its work again and again; what ends in the measured time counts. */
export async function driveFor<Worker>(
  { warmUpSeconds, seconds }: Pick<LoadPlan, "warmUpSeconds" | "seconds">,
  workers: readonly Worker[],
  work: (worker: Worker) => Promise<void>,
): Promise<Omit<LoadResult, "refused" | "firstRefusal">> {
  const startsAt = performance.now() + warmUpSeconds * 1000;
  const endsAt = startsAt + seconds * 1000;
  const times: number[] = [];
  let requestsSent = 0;
  await Promise.all(
    workers.map(async (worker) => {
      for (;;) {
        const from = performance.now();
        if (from >= endsAt) return;
        await work(worker);
        requestsSent++;
        const to = performance.now();
        if (to >= startsAt && to <= endsAt) times.push(to - from);
      }
    }),
  );
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, requestsSent, seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
