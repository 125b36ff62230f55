import { formatCount } from "@/app/ui/amount";
import type { BatchFacets, BatchTotals } from "@/server/batches/list/count-batches";
import { COUNT_MAX } from "@/terms/filters";

export const COUNTS_EVERY_MS = 15_000;

/** A count as the list shows it: `10,000+` for more than were counted, and nothing while it is loaded. */
export function countWords(counted: BatchFacets | undefined, choice: keyof BatchFacets["counts"]): string {
  if (!counted) return "";
  const count = counted.counts[choice];
  const isLeast = !counted.isWhole || count > COUNT_MAX;
  return `${formatCount(Math.min(count, COUNT_MAX))}${isLeast ? "+" : ""}`;
}

/** Whether totals are of all that match, of which a list that has come to its end has `listed`. */
export const areWhole = ({ types, isWhole }: BatchTotals, listed: number | null): boolean =>
  isWhole || listed === types.reduce((sum, one) => sum + one.batches + one.reversals + one.openReversals, 0);
