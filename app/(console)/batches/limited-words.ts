import { formatCount } from "@/app/ui/amount";
import { COUNT_MAX, rangedTime } from "@/server/batches/list/filters";
import { type FilterParams, toFilters } from "./list-params";

const MOST = formatCount(COUNT_MAX);

type Chosen = Partial<FilterParams>;

/** What a list or total that stops at `COUNT_MAX` batches looked at. */
export function lookedAt(params: Chosen): string {
  if (params.recipient) return `the newest ${MOST} batches that pay this recipient`;
  if (params.review) return `the newest ${MOST} unusual batches`;
  return {
    createdAt: `the newest ${MOST}`,
    finalizeAt: `the ${MOST} due last`,
    finalizedAt: `the last ${MOST} finalized`,
  }[rangedTime(toFilters(params))];
}

/** Before totals of a part of what matches. */
export const limitedTotals = (params: Chosen): string => `Totals of ${lookedAt(params)} only:`;

/** Why a sorted list lacks batches, and how to get them. */
export function limitedSort(params: Chosen): string {
  const exported = `The export has every match, sorted by ${EXPORTED_BY[rangedTime(toFilters(params))]} time.`;
  if (params.recipient || params.review)
    return `Only ${lookedAt(params)} were searched. Older ones may match too. Narrow the creation time to search those. ${exported}`;
  return `More than ${MOST} batches match. Only ${lookedAt(params)} are sorted and shown. Add filters to sort all of them. ${exported}`;
}

const EXPORTED_BY = { createdAt: "creation", finalizeAt: "due", finalizedAt: "finalized" } as const;
