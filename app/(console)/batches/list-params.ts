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
import type { BatchFilters } from "@/server/batches/list/console-schema";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { BATCH_STATUSES, type BatchStatus } from "@/server/kernel/values/batch-state";
import { ADDRESS_PATTERN, BATCH_ID_PATTERN, POINTS_PATTERN } from "@/server/kernel/values/patterns";
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

/** `from` is inclusive, `to` is exclusive. */
export const filterParams = {
  status: parseAsArrayOf(parseAsStringLiteral(SHOWN_STATUSES)),
  type: parseAsStringLiteral(POINT_TYPES),
  contract: text(ADDRESS_PATTERN),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  id: text(BATCH_ID_PATTERN),
  recipient: text(ADDRESS_PATTERN),
  min: text(POINTS_PATTERN),
};

const sort = parseAsStringLiteral(["DESC", "ASC", "DUE"] as const);

export const exportParams = { ...filterParams, sort };

/** The whole state of the list, so that a shared link shows the same. */
export const listParams = {
  ...filterParams,
  sort,
  hide: parseAsArrayOf(parseAsString).withDefault([]),
  open: parseAsString,
};

export const loadListParams = createLoader(listParams);
export const loadExportParams = createLoader(exportParams);
export const exportQuery = createSerializer(exportParams);

export type FilterParams = inferParserType<typeof filterParams>;
export type ListParams = inferParserType<typeof listParams>;

export function toFilters(params: FilterParams): BatchFilters {
  const statuses = params.status?.filter((status): status is BatchStatus => !isKindOfOpen(status));
  return {
    ...(statuses?.length && { statuses: statuses.toSorted() }),
    ...(params.status?.includes("OVERDUE") && { overdue: true }),
    ...(params.status?.includes("HELD") && { held: true }),
    ...(params.type && { pointType: params.type }),
    ...(params.contract && { contractAddress: params.contract }),
    // Both bounds are exclusive on the server, which stores milliseconds.
    ...(params.from && { createdAfter: new Date(params.from.getTime() - 1).toISOString() }),
    ...(params.to && { createdBefore: params.to.toISOString() }),
    ...(params.id && { idPrefix: params.id }),
    ...(params.recipient && { recipient: params.recipient }),
    ...(params.min && { minimumPoints: params.min }),
  };
}

export const PAGE_ROWS = 100;

const isOverdue = (params: Pick<FilterParams, "status">) => params.status?.includes("OVERDUE") ?? false;

/** Newest first; overdue batches by due time. */
export const defaultSort = (params: Pick<FilterParams, "status">) => (isOverdue(params) ? "DUE" : "DESC");

/** Only overdue batches may be sorted by due time. */
export function sortOf({ sort, status }: Pick<ListParams, "sort" | "status">): "ASC" | "DESC" | "DUE" {
  return sort === null || (sort === "DUE" && !isOverdue({ status })) ? defaultSort({ status }) : sort;
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

export const batchPath = (batch: { contractAddress: string; id: string }) =>
  `/batches/${batch.contractAddress}/${encodeURIComponent(batch.id)}`;

export function parseBatchKey(key: string | null): BatchKey | null {
  const [contractAddress = "", batchId = "", ...rest] = (key ?? "").split("/");
  const isKey = ADDRESS_PATTERN.test(contractAddress) && BATCH_ID_PATTERN.test(batchId) && rest.length === 0;
  return isKey ? { contractAddress, batchId } : null;
}
