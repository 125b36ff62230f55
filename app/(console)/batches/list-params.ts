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
import type { BatchFilters } from "@/server/batches/console-schema";
import { BATCH_STATUSES, type BatchStatus } from "@/server/batches/state";
import { POINT_TYPES } from "@/server/ledger/point-types";

/** What a batch that is not finalized is besides its state: late, or held by staff. */
export const KINDS_OF_OPEN = ["OVERDUE", "HELD"] as const;
export const SHOWN_STATUSES = [...BATCH_STATUSES, ...KINDS_OF_OPEN] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
export type KindOfOpen = (typeof KINDS_OF_OPEN)[number];
export const isKindOfOpen = (status: ShownStatus): status is KindOfOpen =>
  (KINDS_OF_OPEN as readonly ShownStatus[]).includes(status);

const text = (pattern: RegExp) =>
  createParser({ parse: (value) => (pattern.test(value) ? value : null), serialize: String });

export const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;
export const ID_PATTERN = /^[A-Za-z0-9._:~-]{1,64}$/;
export const POINTS_PATTERN = /^(?:0|[1-9][0-9]{0,25})(?:\.[0-9]{1,12})?$/;

/** What narrows the list. `from` is the first instant shown, `to` the first one no longer shown. */
export const filterParams = {
  status: parseAsArrayOf(parseAsStringLiteral(SHOWN_STATUSES)),
  type: parseAsStringLiteral(POINT_TYPES),
  contract: text(ADDRESS_PATTERN),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  id: text(ID_PATTERN),
  recipient: text(ADDRESS_PATTERN),
  min: text(POINTS_PATTERN),
};

const sort = parseAsStringLiteral(["DESC", "ASC", "DUE"] as const);

/** What the list's file holds: the filtered set in the list's order. */
export const exportParams = { ...filterParams, sort };

/** The whole state of the list: a copied link shows the same. */
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

/** The server's filters for what the URL says. */
export function toFilters(params: FilterParams): BatchFilters {
  const statuses = params.status?.filter((status): status is BatchStatus => !isKindOfOpen(status));
  return {
    ...(statuses?.length && { statuses: statuses.toSorted() }),
    ...(params.status?.includes("OVERDUE") && { overdue: true }),
    ...(params.status?.includes("HELD") && { held: true }),
    ...(params.type && { pointType: params.type }),
    ...(params.contract && { contractAddress: params.contract }),
    // The server's bounds are both exclusive and its times have milliseconds.
    ...(params.from && { createdAfter: new Date(params.from.getTime() - 1).toISOString() }),
    ...(params.to && { createdBefore: params.to.toISOString() }),
    ...(params.id && { idPrefix: params.id }),
    ...(params.recipient && { recipient: params.recipient }),
    ...(params.min && { minimumPoints: params.min }),
  };
}

export const PAGE_ROWS = 100;

const isOverdue = (params: Pick<FilterParams, "status">) => params.status?.includes("OVERDUE") ?? false;

/** The order when the URL names none: newest first, of overdue batches the longest due first. */
export const defaultSort = (params: Pick<FilterParams, "status">) => (isOverdue(params) ? "DUE" : "DESC");

/** The list's order. Only overdue batches may be sorted by due time. */
export function sortOf({ sort, status }: Pick<ListParams, "sort" | "status">): "ASC" | "DESC" | "DUE" {
  return sort === null || (sort === "DUE" && !isOverdue({ status })) ? defaultSort({ status }) : sort;
}

/** The list query's input, the same on the server and in the browser, so that they share a cache key. */
export function toListInput(params: ListParams) {
  return { ...toFilters(params), sort: sortOf(params), limit: PAGE_ROWS };
}

/** What the reader of a list has: its newest row, and the server's clock when it was read. */
export interface SeenList {
  newest: { createdAt: string; id: string } | null;
  readAt: string;
}

/** Whether it is said how many batches came to a list: not where the new ones come after rows that were not read yet. */
export const announcesNewer = (params: ListParams) => isOverdue(params) || sortOf(params) === "DESC";

/** Asks for what was created after the newest row, in the list of overdue ones for what became overdue since. */
export const toNewerInput = (params: ListParams, { newest, readAt }: SeenList) => ({
  ...toFilters(params),
  newerThan: newest && { createdAt: newest.createdAt, id: newest.id },
  ...(isOverdue(params) && { readAt }),
});

/** A batch as one value of the URL. */
export const batchKey = (batch: { contractAddress: string; id: string }) =>
  `${batch.contractAddress}/${batch.id}`;

export const batchPath = (batch: { contractAddress: string; id: string }) =>
  `/batches/${batch.contractAddress}/${encodeURIComponent(batch.id)}`;

/** The batch that the URL says is open, or null. */
export function parseBatchKey(key: string | null): { contractAddress: string; batchId: string } | null {
  const [contractAddress = "", batchId = "", ...rest] = (key ?? "").split("/");
  const isKey = ADDRESS_PATTERN.test(contractAddress) && ID_PATTERN.test(batchId) && rest.length === 0;
  return isKey ? { contractAddress, batchId } : null;
}
