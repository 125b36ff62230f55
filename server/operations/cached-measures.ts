import type { Database } from "@/db/client";
import { single } from "../kernel/single";
import { type FinalizingBucket, measureFinalizing } from "./measure-finalizing";
import { RANGE_SHAPES, type Range } from "./ranges";

interface Kept {
  until: number;
  measured: Promise<FinalizingBucket[] | null>;
}

/** Concurrent viewers share one measurement. It is repeated only when the last one is old. */
export function cachedMeasures(db: Database, range: Range): Promise<FinalizingBucket[] | null> {
  const kept = single("operationsMeasures", () => new Map<Range, Kept>());
  const last = kept.get(range);
  if (last && performance.now() < last.until) return last.measured;
  const measured = measureFinalizing(db, range);
  kept.set(range, { until: performance.now() + RANGE_SHAPES[range].keptSeconds * 1000, measured });
  // Failures are not cached, so the next request retries.
  measured.catch(() => kept.delete(range));
  return measured;
}
