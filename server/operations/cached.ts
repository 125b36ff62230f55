import { single } from "../kernel/single";

interface Kept {
  until: number;
  measured: Promise<unknown>;
}

/** Concurrent viewers share one measurement. It is repeated only when the last one is old. */
export function cached<T>(name: string, keptSeconds: number, measure: () => Promise<T>): Promise<T> {
  const kept = single("operationsMeasures", () => new Map<string, Kept>());
  const last = kept.get(name);
  if (last && performance.now() < last.until) return last.measured as Promise<T>;
  const measured = measure();
  kept.set(name, { until: performance.now() + keptSeconds * 1000, measured });
  // Failures are not cached, so the next request retries.
  measured.catch(() => kept.delete(name));
  return measured;
}
