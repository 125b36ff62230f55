import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import type { BatchFilters } from "@/server/batches/list/console-schema";
import {
  LIST_SORT_NAMES,
  LIST_SORTS,
  type ListSort,
  listsFinalized,
  SUBMITTER_PATTERN,
} from "@/server/batches/list/sorts";
import {
  ADDRESS_PATTERN,
  BATCH_ID_PATTERN,
  BATCH_STATUSES,
  type BatchStatus,
  POINT_TYPES,
  POINTS_PATTERN,
  UUID_PATTERN,
} from "@/server/kernel/values/batch-terms";

/** Marks of an open batch, shown next to its status. */
export const MARKS = ["OVERDUE", "HELD", "AWAITING_APPROVAL"] as const;
export const SHOWN_STATUSES = [...BATCH_STATUSES, ...MARKS] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
export type Mark = (typeof MARKS)[number];
export const isMark = (status: ShownStatus): status is Mark =>
  (MARKS as readonly ShownStatus[]).includes(status);

const text = (pattern: RegExp) =>
  createParser({ parse: (value) => (pattern.test(value) ? value : null), serialize: String });

/** Bounds named `from` are inclusive, those named `to` exclusive. */
export const filterParams = {
  status: parseAsArrayOf(parseAsStringLiteral(SHOWN_STATUSES)),
  type: parseAsStringLiteral(POINT_TYPES),
  contract: text(ADDRESS_PATTERN),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  id: text(BATCH_ID_PATTERN),
  recipient: text(ADDRESS_PATTERN),
  min: text(POINTS_PATTERN),
  upload: text(UUID_PATTERN),
  dueFrom: parseAsIsoDateTime,
  dueTo: parseAsIsoDateTime,
  finalizedFrom: parseAsIsoDateTime,
  finalizedTo: parseAsIsoDateTime,
  by: text(SUBMITTER_PATTERN),
  review: parseAsStringLiteral(["unusual"] as const),
  unblocked: parseAsBoolean,
  reversals: parseAsBoolean,
};

const sort = parseAsStringLiteral(LIST_SORT_NAMES);

export const exportParams = { ...filterParams, sort };

/** What a view keeps. */
const viewParams = { ...filterParams, sort, hide: parseAsArrayOf(parseAsString).withDefault([]) };

/** The whole state of the list, so that a shared link shows the same. */
export const listParams = { ...viewParams, open: parseAsString };

export const loadListParams = createLoader(listParams);
export const loadExportParams = createLoader(exportParams);
export const exportQuery = createSerializer(exportParams);
export const viewQuery = createSerializer(viewParams);

export type FilterParams = inferParserType<typeof filterParams>;
export type ViewParams = inferParserType<typeof viewParams>;
export type ListParams = inferParserType<typeof listParams>;

export function toFilters(params: Partial<FilterParams>): BatchFilters {
  const statuses = params.status?.filter((status): status is BatchStatus => !isMark(status));
  return {
    ...(statuses?.length && { statuses: statuses.toSorted() }),
    ...(params.status?.includes("OVERDUE") && { overdue: true }),
    ...(params.status?.includes("HELD") && { held: true }),
    ...(params.status?.includes("AWAITING_APPROVAL") && { awaitingApproval: true }),
    ...(params.type && { pointType: params.type }),
    ...(params.contract && { contractAddress: params.contract }),
    ...(params.from && { createdAfter: exclusive(params.from) }),
    ...(params.to && { createdBefore: params.to.toISOString() }),
    ...(params.id && { idPrefix: params.id }),
    ...(params.recipient && { recipient: params.recipient }),
    ...(params.min && { minimumPoints: params.min }),
    ...(params.upload && { uploadId: params.upload }),
    ...(params.dueFrom && { dueAfter: exclusive(params.dueFrom) }),
    ...(params.dueTo && { dueBefore: params.dueTo.toISOString() }),
    ...(params.finalizedFrom && { finalizedAfter: exclusive(params.finalizedFrom) }),
    ...(params.finalizedTo && { finalizedBefore: params.finalizedTo.toISOString() }),
    ...(params.by && { submittedBy: params.by }),
    ...(params.review && { unusual: true }),
    ...(params.unblocked && { unblocked: true }),
    ...(params.reversals && { reversals: true }),
  };
}

/** Both bounds are exclusive on the server, which stores milliseconds. */
const exclusive = (from: Date) => new Date(from.getTime() - 1).toISOString();

export const PAGE_ROWS = 100;

const isOverdue = (params: Pick<FilterParams, "status">) => params.status?.includes("OVERDUE") ?? false;

/** Newest first. Overdue batches and those due in a range by due time; those finalized in a range, the last one first. */
export function defaultSort(params: FilterParams): ListSort {
  if (isOverdue(params)) return "DUE";
  if (params.finalizedFrom || params.finalizedTo) return "FINALIZED_DESC";
  return params.dueFrom || params.dueTo ? "DUE" : "DESC";
}

/** Whether the list has finalized batches only. */
export const showsFinalized = (params: FilterParams): boolean => listsFinalized(toFilters(params));

/** Only finalized batches can be sorted by when they were finalized. */
export function sortOf({ sort, ...params }: FilterParams & Pick<ListParams, "sort">): ListSort {
  const isUnfit = sort !== null && LIST_SORTS[sort].by === "finalizedAt" && !showsFinalized(params);
  return sort === null || isUnfit ? defaultSort(params) : sort;
}

/** Used by the server and the browser, so that they share a cache key. */
export function toListInput(params: ListParams) {
  return { ...toFilters(params), sort: sortOf(params), limit: PAGE_ROWS };
}

/** The newest row of the list on screen, and the server's time when it was read. */
export interface SeenList {
  newest: { createdAt: string } | null;
  readAt: string;
}

/** Not for lists in which new batches come after rows that are not loaded yet. */
export const announcesNewer = (params: ListParams) => isOverdue(params) || sortOf(params) === "DESC";

/** Batches created after the newest row or, in a list of overdue ones, overdue since it was read. */
export const toNewerInput = (params: ListParams, { newest, readAt }: SeenList) => ({
  ...toFilters(params),
  newerThan: newest && { createdAt: newest.createdAt },
  ...(isOverdue(params) && { readAt }),
});
