import type { BatchFacets } from "@/server/batches/list/console-schema";
import type { BatchStatus } from "@/server/kernel/values/batch-state";
import { type FilterParams, isKindOfOpen, type KindOfOpen } from "../list-params";

/** How many batches match the list's filters, by the counts beside them; null where these do not say. */
export function matchingCount(
  { status, unblocked }: Pick<FilterParams, "status" | "unblocked">,
  facets: BatchFacets | undefined,
): number | null {
  // No count is of batches that nothing blocks.
  if (!facets?.isWhole || unblocked) return null;
  const kinds = status?.filter(isKindOfOpen) ?? [];
  const statuses = status?.filter((one): one is BatchStatus => !isKindOfOpen(one)) ?? [];
  // A status and a kind are ANDed, and no count says how many have both.
  if (kinds.length > 1 || (kinds.length === 1 && statuses.length > 0)) return null;
  const counts =
    kinds.length === 1
      ? [countOfKind(facets, kinds[0]!)]
      : Object.entries(facets.statuses).flatMap(([name, count]) =>
          statuses.length === 0 || (statuses as string[]).includes(name) ? [count] : [],
        );
  if (counts.some((count) => count > facets.countMax)) return null;
  return counts.reduce((sum, count) => sum + count, 0);
}

const countOfKind = ({ overdue, held, awaitingApproval }: BatchFacets, kind: KindOfOpen): number =>
  ({ OVERDUE: overdue, HELD: held, AWAITING_APPROVAL: awaitingApproval })[kind];
