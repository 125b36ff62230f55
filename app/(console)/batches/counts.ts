import { formatCount } from "@/app/ui/amount";
import type { BatchFacets } from "@/server/batches/list/count-batches";
import { COUNT_MAX } from "@/terms/filters";

export const COUNTS_EVERY_MS = 15_000;

/** A count as the list shows it: `10,000+` for more than were counted, and nothing while it is loaded. */
export function countWords(counted: BatchFacets | undefined, choice: keyof BatchFacets["counts"]): string {
  if (!counted) return "";
  const count = counted.counts[choice];
  const isLeast = !counted.isWhole || count > COUNT_MAX;
  return `${formatCount(Math.min(count, COUNT_MAX))}${isLeast ? "+" : ""}`;
}
