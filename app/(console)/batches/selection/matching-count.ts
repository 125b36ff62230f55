import { formatCount } from "@/app/ui/amount";
import type { BatchFacets } from "@/server/batches/list/console-schema";
import { type FilterParams, isMark, type ShownStatus } from "../list-params";

/** How many batches match the list's filters, by the counts next to them; null where these do not say. */
export function matchingCount(
  { status, unblocked }: Pick<FilterParams, "status" | "unblocked">,
  facets: BatchFacets | undefined,
): number | null {
  // Every count includes batches that are on hold or await approval.
  if (!facets?.isWhole || unblocked) return null;
  const chosen = [...new Set(status)];
  // Filters are ANDed, and no count says how many batches have both a status and a mark, or two marks.
  if (chosen.length > 1 && chosen.some(isMark)) return null;
  const counts =
    chosen.length > 0 ? chosen.map((one) => countOf(facets, one)) : Object.values(facets.statuses);
  if (counts.some((count) => count > facets.countMax)) return null;
  return counts.reduce((sum, count) => sum + count, 0);
}

export function countOf(facets: BatchFacets, status: ShownStatus): number {
  if (status === "AWAITING_APPROVAL") return facets.awaitingApproval;
  if (status === "OVERDUE") return facets.overdue;
  return status === "HELD" ? facets.held : facets.statuses[status];
}

/** A count as the list shows it: `10,000+` for more than were counted, and nothing while it is loaded. */
export function countWords(facets: BatchFacets | undefined, count: number | undefined): string {
  if (!facets || count === undefined) return "";
  const isLeast = !facets.isWhole || count > facets.countMax;
  return `${formatCount(Math.min(count, facets.countMax))}${isLeast ? "+" : ""}`;
}
