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
  let requests = 0;
  let requestsSent = 0;
  await Promise.all(
    workers.map(async (worker) => {
      while (performance.now() < endsAt) {
        await work(worker);
        requestsSent++;
        const to = performance.now();
        if (to >= startsAt && to <= endsAt) requests++;
      }
    }),
  );
  return { requests, requestsSent, seconds };
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
    let requests = 0;
    const driveOne = async (worker: Worker) => {
      for (let done = 0; ; done++) {
        if (done >= requestsEachMin && performance.now() >= startsAt + beginSeconds * 1000) return;
        await work(worker);
        requests++;
      }
    };
    await Promise.all(workers.map(driveOne));
    return { requests, seconds: (performance.now() - startsAt) / 1000 };
  };
  const warmUp = await driveOnce(warmUpSeconds, 1);
  const measured = await driveOnce(seconds, REQUESTS_EACH_MIN);
  return { ...measured, requestsSent: warmUp.requests + measured.requests };
}
