import type { LoadPlan, LoadResult } from "./load-plan";

type Drive = Omit<LoadResult, "refused" | "firstRefusal">;

/** Runs each of `workers` repeatedly and counts what ends in the measured time. */
export async function driveFor<Worker>(
  { warmUpSeconds, seconds }: Pick<LoadPlan, "warmUpSeconds" | "seconds">,
  workers: readonly Worker[],
  work: (worker: Worker) => Promise<void>,
): Promise<Drive> {
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
  return { requests: times.length, requestsSent, seconds, ...quantilesOf(times) };
}

function quantilesOf(times: number[]) {
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** After their first request, they no longer start at the same time. */
const REQUESTS_EACH_MIN = 2;

/** For `LoadPlan.toLastReply`: the clock starts after the last warm-up reply. */
export async function driveToLastReply<Worker>(
  { warmUpSeconds, seconds }: Pick<LoadPlan, "warmUpSeconds" | "seconds">,
  workers: readonly Worker[],
  work: (worker: Worker) => Promise<void>,
): Promise<Drive> {
  const driveOnce = async (beginSeconds: number, requestsEachMin: number) => {
    const startsAt = performance.now();
    const times: number[] = [];
    const driveOne = async (worker: Worker) => {
      for (let done = 0; ; done++) {
        const from = performance.now();
        if (done >= requestsEachMin && from >= startsAt + beginSeconds * 1000) return;
        await work(worker);
        times.push(performance.now() - from);
      }
    };
    await Promise.all(workers.map(driveOne));
    return { times, seconds: (performance.now() - startsAt) / 1000 };
  };
  const warmUp = await driveOnce(warmUpSeconds, 1);
  const measured = await driveOnce(seconds, REQUESTS_EACH_MIN);
  const requests = measured.times.length;
  return {
    requests,
    requestsSent: warmUp.times.length + requests,
    seconds: measured.seconds,
    ...quantilesOf(measured.times),
  };
}
