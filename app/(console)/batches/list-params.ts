import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import type { BatchFilters, DifferenceKind } from "@/server/batches/list/console-schema";
import {
  LIST_SORT_NAMES,
  LIST_SORTS,
  type ListSort,
  listsFinalized,
  SUBMITTER_PATTERN,
} from "@/server/batches/list/sorts";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { BATCH_STATUSES, type BatchStatus } from "@/server/kernel/values/batch-state";
import {
  ADDRESS_PATTERN,
  BATCH_ID_PATTERN,
  POINTS_PATTERN,
  UUID_PATTERN,
} from "@/server/kernel/values/patterns";
import { POINT_TYPES } from "@/server/kernel/values/point-types";

/** Conditions of an open batch that come on top of its status. */
export const KINDS_OF_OPEN = ["OVERDUE", "HELD"] as const;
export const SHOWN_STATUSES = [...BATCH_STATUSES, ...KINDS_OF_OPEN] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
export type KindOfOpen = (typeof KINDS_OF_OPEN)[number];
export const isKindOfOpen = (status: ShownStatus): status is KindOfOpen =>
  (KINDS_OF_OPEN as readonly ShownStatus[]).includes(status);

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
  const statuses = params.status?.filter((status): status is BatchStatus => !isKindOfOpen(status));
  return {
    ...(statuses?.length && { statuses: statuses.toSorted() }),
    ...(params.status?.includes("OVERDUE") && { overdue: true }),
    ...(params.status?.includes("HELD") && { held: true }),
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

export const batchKey = (batch: { contractAddress: string; id: string }) =>
  `${batch.contractAddress}/${batch.id}`;

/** A link may have the address in another letter case. */
export function indexOfBatch(
  batches: readonly { contractAddress: string; id: string }[],
  key: string | null,
) {
  const open = parseBatchKey(key);
  const address = open?.contractAddress.toLowerCase();
  return batches.findIndex(
    (batch) => batch.id === open?.batchId && batch.contractAddress.toLowerCase() === address,
  );
}

export const batchPath = (batch: { contractAddress: string; id: string }) =>
  `/batches/${batch.contractAddress}/${encodeURIComponent(batch.id)}`;

/** @param withId the batch to compare with; by default the server chooses one @param show without it, all differences */
export const comparePath = (
  batch: { contractAddress: string; id: string },
  withId?: string,
  show?: DifferenceKind,
) =>
  `${batchPath(batch)}/compare${withId === undefined ? "" : `?with=${encodeURIComponent(withId)}`}${show ? `&show=${show}` : ""}`;

export const compareExportPath = (
  batch: { contractAddress: string; id: string },
  withId: string,
  show: DifferenceKind | undefined,
) => comparePath(batch, withId, show).replace("/compare?", "/compare/export?");

/** "New batch", filled in with a cancelled batch. */
export const correctPath = ({ contractAddress, id }: { contractAddress: string; id: string }) =>
  `/batches/new?corrects=${contractAddress}/${encodeURIComponent(id)}`;

export const jobPath = (jobId: string) => `/batches/jobs/${jobId}`;

/** The list of one uploaded file's batches. */
export const uploadPath = (uploadId: string) => `/batches?upload=${uploadId}`;

export function parseBatchKey(key: string | null): BatchKey | null {
  const [contractAddress = "", batchId = "", ...rest] = (key ?? "").split("/");
  const isKey = ADDRESS_PATTERN.test(contractAddress) && BATCH_ID_PATTERN.test(batchId) && rest.length === 0;
  return isKey ? { contractAddress, batchId } : null;
}

/** The batch of a page's path; null if it cannot be one. */
export function readBatchKey(params: { contractAddress: string; batchId: string }): BatchKey | null {
  try {
    return parseBatchKey(`${params.contractAddress}/${decodeURIComponent(params.batchId)}`);
  } catch {
    return null;
  }
}
