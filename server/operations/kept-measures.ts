import type { Database } from "@/db/client";
import { single } from "../kernel/single";
import { type FinalizingBucket, measureFinalizing } from "./measure-finalizing";
import { RANGE_SHAPES, type Range } from "./ranges";

interface Kept {
  until: number;
  measured: Promise<FinalizingBucket[] | null>;
}

/** Measures for all who watch at once: a measurement is made again only when the last one is old. */
export function keptMeasures(db: Database, range: Range): Promise<FinalizingBucket[] | null> {
  const kept = single("operationsMeasures", () => new Map<Range, Kept>());
  const last = kept.get(range);
  if (last && performance.now() < last.until) return last.measured;
  const measured = measureFinalizing(db, range);
  kept.set(range, { until: performance.now() + RANGE_SHAPES[range].keptSeconds * 1000, measured });
  // A failure is not kept: whoever asks next tries again.
  measured.catch(() => kept.delete(range));
  return measured;
}
