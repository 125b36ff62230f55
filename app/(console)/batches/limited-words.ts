import type { FilterParams } from "./list-params";

/** `COUNT_MAX`, whose file would bring zod into the browser. */
const MOST = "10,000";

type Chosen = Partial<FilterParams>;

/** What a list or total that stops at `MOST` batches looked at. */
export function lookedAt({ recipient, review, ...params }: Chosen): string {
  if (recipient) return `the newest ${MOST} batches that pay this recipient`;
  if (review) return `the newest ${MOST} unusual batches`;
  if (params.finalizedFrom || params.finalizedTo) return `the last ${MOST} finalized`;
  return params.dueFrom || params.dueTo ? `the ${MOST} due last` : `the newest ${MOST}`;
}

/** Before totals of a part of what matches. */
export const limitedTotals = (params: Chosen): string => `Totals of ${lookedAt(params)} only:`;

/** Why a sorted list lacks batches, and how to get them. */
export function limitedSort(params: Chosen): string {
  const exported = `The export has every match, sorted by ${exportedBy(params)} time.`;
  if (params.recipient || params.review)
    return `Only ${lookedAt(params)} were searched. Older ones may match too. Narrow the creation time to search those. ${exported}`;
  return `More than ${MOST} batches match. Only ${lookedAt(params)} are sorted and shown. Add filters to sort all of them. ${exported}`;
}

/** As the server's `timeOrder`. */
function exportedBy({ recipient, review, ...params }: Chosen): string {
  if (recipient || review) return "creation";
  if (params.finalizedFrom || params.finalizedTo) return "finalized";
  return params.dueFrom || params.dueTo ? "due" : "creation";
}
