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
import { viewPath } from "@/app/(console)/paths";
import {
  ADDRESS_PATTERN,
  BATCH_ID_PATTERN,
  BATCH_STATUSES,
  type BatchStatus,
  METADATA_PAIR_PATTERN,
  POINT_TYPES,
  POINTS_PATTERN,
  SUBMITTER_PATTERN,
} from "@/terms/batch-terms";
import {
  type BatchFilters,
  FILTER_NAMES,
  FILTERS,
  type Filter,
  type FilterKind,
  type FilterName,
  LIST_SORT_NAMES,
  LIST_SORTS,
  type ListSort,
  listsFinalized,
} from "@/terms/filters";

const MARKS = ["OVERDUE", "HELD", "AWAITING_APPROVAL"] as const;
const SHOWN_STATUSES = [...BATCH_STATUSES, ...MARKS] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];
export type Mark = (typeof MARKS)[number];
export const isMark = (status: ShownStatus): status is Mark =>
  (MARKS as readonly ShownStatus[]).includes(status);

export const text = (pattern: RegExp) =>
  createParser({ parse: (value) => (pattern.test(value) ? value : null), serialize: String });

/** Whether a parameter is given, of a list whose parameters are all filters. */
export const hasFilters = (params: object) => Object.values(params).some((value) => value !== null);

const shownStatuses = parseAsArrayOf(parseAsStringLiteral(SHOWN_STATUSES));

const PARSERS = {
  address: text(ADDRESS_PATTERN),
  statuses: shownStatuses,
  mark: shownStatuses,
  pointType: parseAsStringLiteral(POINT_TYPES),
  batchId: text(BATCH_ID_PATTERN),
  points: text(POINTS_PATTERN),
  submitter: text(SUBMITTER_PATTERN),
  /** Inclusive in the URL. */
  after: parseAsIsoDateTime,
  before: parseAsIsoDateTime,
  flag: parseAsBoolean,
  review: parseAsStringLiteral(["unusual"] as const),
  metadata: text(METADATA_PAIR_PATTERN),
} satisfies Record<FilterKind, unknown>;

type Filters = typeof FILTERS;

export const filterParams = Object.fromEntries(
  FILTER_NAMES.map((name) => [FILTERS[name].param, PARSERS[FILTERS[name].kind]]),
) as { [Name in FilterName as Filters[Name]["param"]]: (typeof PARSERS)[Filters[Name]["kind"]] };

const sort = parseAsStringLiteral(LIST_SORT_NAMES);

export const exportParams = { ...filterParams, sort };

const viewParams = { ...filterParams, sort, hide: parseAsArrayOf(parseAsString).withDefault([]) };

/** The whole state of the list, so that a shared link shows the same. */
export const listParams = { ...viewParams, open: parseAsString };

export const loadListParams = createLoader(listParams);
export const loadExportParams = createLoader(exportParams);
export const exportQuery = createSerializer(exportParams);
const viewQuery = createSerializer(viewParams);

export type FilterParams = inferParserType<typeof filterParams>;
export type ViewParams = inferParserType<typeof viewParams>;
export type ListParams = inferParserType<typeof listParams>;

export function toFilters(params: Partial<FilterParams>): BatchFilters {
  const set = FILTER_NAMES.map((name) => [name, filterValue(FILTERS[name], params)]);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}

function filterValue({ kind, param, word }: Filter, params: Partial<FilterParams>): unknown {
  const value = params[param as keyof FilterParams];
  const chosen = params.status ?? [];
  if (!value) return undefined;
  switch (kind) {
    case "statuses": {
      const statuses = chosen.filter((status): status is BatchStatus => !isMark(status));
      return statuses.length > 0 ? statuses.toSorted() : undefined;
    }
    case "mark":
      return chosen.some((status) => status === word) || undefined;
    case "review":
      return true;
    case "metadata": {
      const [, name = "", text] = /^(.+?):(.*)$/.exec(value as string) ?? [];
      return { [name]: text };
    }
    case "after":
      // Both bounds are exclusive on the server, which stores milliseconds.
      return new Date((value as Date).getTime() - 1).toISOString();
    case "before":
      return (value as Date).toISOString();
    default:
      return value;
  }
}

export const PAGE_ROWS = 100;

/**
 * Newest first. By due time if overdue or due in a range; finalized in a
 * range, the last one first.
 */
export function defaultSort(params: FilterParams): ListSort {
  if (params.status?.includes("OVERDUE")) return "DUE";
  if (params.finalizedFrom || params.finalizedTo) return "FINALIZED_DESC";
  return params.dueFrom || params.dueTo ? "DUE" : "DESC";
}

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

/** Not for lists in which new batches come after rows that are not loaded yet. */
export const announcesNewer = (params: ListParams) => sortOf(params) === "DESC";

/** Created after the newest row on screen. */
export const toNewerInput = (params: ListParams, newestAt: string | undefined) => ({
  ...toFilters(params),
  newerThan: newestAt ? { createdAt: newestAt } : null,
});

/**
 * Views that everyone has. Each is only filters and a sort, so that its link shows the same rows. What needs
 * a decision is on the Alerts page.
 */
export const builtInViews = (
  email: string,
): readonly { name: string; title: string; params: Partial<ViewParams> }[] => [
  { name: "All", title: "All batches, newest first", params: {} },
  {
    name: "Due next",
    title: "Next to be finalized: pending, not on hold and not awaiting approval",
    params: { unblocked: true, sort: "DUE" },
  },
  {
    name: "On hold",
    title: "Batches on hold, earliest due first",
    params: { status: ["HELD"], sort: "DUE" },
  },
  {
    name: "Reversals",
    title: "Batches that take points back, newest first",
    params: { reversals: true },
  },
  { name: "Mine", title: "Batches that you submitted", params: { by: `staff:${email}` } },
];

/** The query of a view's URL, without the question mark. Equal views have equal queries. */
export function queryOf(params: Partial<ViewParams>): string {
  const query = new URLSearchParams(viewQuery(params));
  query.sort();
  return query.toString();
}

export const metadataPath = (key: string, value: string) =>
  viewPath(queryOf({ metadata: `${key}:${value}` }));
