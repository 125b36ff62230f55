import { BATCH_STATUSES, type BatchStatus, type Metadata, type PointType } from "./batch-terms";

/** Counts, totals and orders without an index stop at this many batches or transfers, shown as "10,000+". */
export const COUNT_MAX = 10_000;

/** Each kind of value has a schema (`console-schema.ts`) and a parser in the URL (`list-params.ts`). */
interface Values {
  address: string;
  statuses: BatchStatus[];
  /** Chosen among the statuses of the URL, by its `word`. */
  mark: boolean;
  pointType: PointType;
  batchId: string;
  points: string;
  submitter: string;
  after: string;
  before: string;
  flag: boolean;
  review: boolean;
  metadata: Metadata;
}
export type FilterKind = keyof Values;

export interface Filter {
  kind: FilterKind;
  /** The parameter of the console's URL. */
  param: string;
  word?: string;
  /** Filters with the same label share a control. */
  label: string;
  /** If it is set, only batches in these statuses match. */
  matches?: readonly BatchStatus[];
  /** Chooses batches by their state. The counts beside a list ignore these filters. */
  byState?: true;
  /** No index has it: the newest batches that match the other filters are searched. */
  searched?: true;
}

/**
 * The filters of the batch list, all ANDed. A filter is an entry here, a condition (`conditions.ts`) and a
 * control (`app/(console)/batches/filters/filter-bar.tsx`); the compiler says which is missing.
 */
export const FILTERS = {
  contractAddress: { kind: "address", param: "contract", label: "Contract" },
  statuses: { kind: "statuses", param: "status", label: "Status", byState: true },
  overdue: {
    kind: "mark",
    param: "status",
    word: "OVERDUE",
    label: "Status",
    matches: ["PENDING", "FINALIZING"],
    byState: true,
  },
  held: { kind: "mark", param: "status", word: "HELD", label: "Status", matches: ["PENDING"], byState: true },
  awaitingApproval: {
    kind: "mark",
    param: "status",
    word: "AWAITING_APPROVAL",
    label: "Status",
    matches: ["PENDING"],
    byState: true,
  },
  pointType: { kind: "pointType", param: "type", label: "Type" },
  createdAfter: { kind: "after", param: "from", label: "Created" },
  createdBefore: { kind: "before", param: "to", label: "Created" },
  dueAfter: { kind: "after", param: "dueFrom", label: "Due", searched: true },
  dueBefore: { kind: "before", param: "dueTo", label: "Due", searched: true },
  finalizedAfter: { kind: "after", param: "finalizedFrom", label: "Finalized", matches: ["FINALIZED"] },
  finalizedBefore: { kind: "before", param: "finalizedTo", label: "Finalized", matches: ["FINALIZED"] },
  idPrefix: { kind: "batchId", param: "id", label: "Batch ID" },
  recipient: { kind: "address", param: "recipient", label: "Recipient" },
  minimumPoints: { kind: "points", param: "min", label: "Minimum amount", searched: true },
  submittedBy: { kind: "submitter", param: "by", label: "Submitted by", searched: true },
  metadata: { kind: "metadata", param: "metadata", label: "Metadata" },
  unusual: { kind: "review", param: "review", label: "Unusual", matches: ["PENDING"] },
  reversals: { kind: "flag", param: "reversals", label: "Reversals" },
  unblocked: {
    kind: "flag",
    param: "unblocked",
    label: "Pending, not on hold or awaiting approval",
    matches: ["PENDING"],
    byState: true,
  },
  /** A payout belongs to a contract. Without that filter, batches of each contract's payout of this name. */
  payoutId: { kind: "batchId", param: "payout", label: "Payout" },
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof FILTERS;
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
export const filterOf = (name: FilterName): Filter => FILTERS[name];

export type BatchFilters = {
  [Name in FilterName]?: Values[(typeof FILTERS)[Name]["kind"]] | undefined;
};

/** Statuses of batches that can match all filters. None if they contradict: on hold and finalized. */
export function possibleStatuses(filters: BatchFilters): BatchStatus[] {
  const set = FILTER_NAMES.filter((name) => filters[name]);
  const allowed = set.map((name) => filterOf(name).matches ?? BATCH_STATUSES);
  if (filters.statuses?.length) allowed.push(filters.statuses);
  return BATCH_STATUSES.filter((status) => allowed.every((some) => some.includes(status)));
}

/** The filters whose entries are chosen. */
export const chooseFilters = (filters: BatchFilters, choose: (filter: Filter) => unknown): BatchFilters =>
  Object.fromEntries(
    FILTER_NAMES.filter((name) => choose(filterOf(name))).map((name) => [name, filters[name]]),
  );

interface Sort {
  by: "createdAt" | "finalizeAt" | "finalizedAt" | "points" | "transferCount";
  descending: boolean;
}

/** The sort orders of the console's list, by their names in its URL. Old links use ASC, DESC and DUE. */
export const LIST_SORTS = {
  DESC: { by: "createdAt", descending: true },
  ASC: { by: "createdAt", descending: false },
  DUE: { by: "finalizeAt", descending: false },
  DUE_DESC: { by: "finalizeAt", descending: true },
  FINALIZED: { by: "finalizedAt", descending: false },
  FINALIZED_DESC: { by: "finalizedAt", descending: true },
  AMOUNT: { by: "points", descending: false },
  AMOUNT_DESC: { by: "points", descending: true },
  TRANSFERS: { by: "transferCount", descending: false },
  TRANSFERS_DESC: { by: "transferCount", descending: true },
} as const satisfies Record<string, Sort>;
export type ListSort = keyof typeof LIST_SORTS;
export const LIST_SORT_NAMES = Object.keys(LIST_SORTS) as [ListSort, ...ListSort[]];

/** Whether all batches of a list are FINALIZED, so that they can be sorted by when they were. */
export const listsFinalized = (filters: BatchFilters): boolean =>
  Boolean(filters.finalizedAfter || filters.finalizedBefore || filters.statuses?.join() === "FINALIZED");

/** Maximum batches chosen row by row. */
export const BULK_CHOSEN_MAX = 1000;
