import { formatCount } from "@/app/ui/amount";
import type { BatchFacets } from "@/server/batches/list/count-batches";
import type { ShownStatus } from "./list-params";

export const COUNTS_EVERY_MS = 15_000;

export function countOf(facets: BatchFacets, status: ShownStatus): number {
  if (status === "AWAITING_APPROVAL") return facets.awaitingApproval;
  if (status === "OVERDUE") return facets.overdue;
  return status === "HELD" ? facets.held : facets.statuses[status];
}

/** A count as the list shows it: `10,000+` for more than were counted, and nothing while it is loaded. */
export function countWords(counted: BatchFacets | undefined, count: number | undefined): string {
  if (!counted || count === undefined) return "";
  const isLeast = !counted.isWhole || count > counted.countMax;
  return `${formatCount(Math.min(count, counted.countMax))}${isLeast ? "+" : ""}`;
}
