import { BATCH_STATUSES, type BatchStatus, POINT_TYPES, type PointType } from "@/terms/batch-terms";
import {
  type BatchFilters,
  chooseFilters,
  FILTER_NAMES,
  type FilterName,
  filterOf,
  LIST_SORTS,
  type ListSort,
  possibleStatuses,
} from "@/terms/filters";

// How a list will be read, as a value: which ranges of which indexes have its batches, in which order, and
// what is left to compare. Nothing here knows SQL: conditions.ts writes it, and list-batches.ts chooses the
// reader.

/** A status, or the part of the pending batches that an index has. */
export type State = BatchStatus | "UNBLOCKED" | "ON_HOLD" | "AWAITING_APPROVAL" | "ONLY_AWAITING_APPROVAL";

type Time = "createdAt" | "finalizeAt" | "finalizedAt";

/** `kinds` are some of the types and statuses. Each pair of them is a range of its own. */
type Answered = FilterName | "kinds";

export interface Index {
  /** As in db/schema/batches.ts. */
  name: string;
  /** The table whose entries name batches; absent for an index of `batches`. */
  table?: "recipient_transfers" | "batch_metadata" | "batch_reviews" | "payout_parts";
  answers: readonly Answered[];
  /** The only batches that it has. */
  states?: readonly State[];
  /** It has another order, but so few batches that they are sorted. */
  isSmall?: true;
}

/**
 * The indexes that lists are read from, by their order. A list takes the first one of its order whose filters
 * it has all of, so a new one goes before those that it is better than. The other filters are conditions
 * within the range, or are compared with each batch that is read, if they are `searched` (terms/filters.ts).
 *
 * The name is what Postgres is expected to choose: the statement has the order and the conditions that lead
 * to it, and `list-plans.db.test.ts` reads the choice. Only an index table is named in the statement.
 */
export const INDEXES = {
  // Tables that serve as indexes, in order of creation. They come first, since they have few of all batches.
  // Each batch is looked up by its key, because a join would read all batches of a busy address for one page.
  entries: [
    // Batches that pay an address. Those that it does not have yet are read with them.
    { name: "recipient_transfers_pkey", table: "recipient_transfers", answers: ["recipient"] },
    // With the contract, since other contracts may use the same pair for any number of batches.
    { name: "batch_metadata_of_contract", table: "batch_metadata", answers: ["metadata", "contractAddress"] },
    { name: "batch_metadata_by_creation", table: "batch_metadata", answers: ["metadata"] },
    // Pending batches whose review found something unusual.
    { name: "batch_reviews_by_contract", table: "batch_reviews", answers: ["unusual", "contractAddress"] },
    { name: "batch_reviews_by_creation", table: "batch_reviews", answers: ["unusual"] },
  ],
  createdAt: [
    // Every subset of types and statuses is at most eight ranges, so that none needs an index of its own.
    { name: "batches_by_type_contract_status", answers: ["contractAddress", "kinds"] },
    { name: "batches_by_status_type", answers: ["kinds"] },
    // The first page of the API, read more than any other.
    { name: "batches_of_contract", answers: ["contractAddress"] },
    // The first page of the console.
    { name: "batches_by_creation", answers: [] },
  ],
  finalizeAt: [
    // The finalizer claims from this one, so it has no batches that must be skipped.
    { name: "batches_due", answers: [], states: ["UNBLOCKED"] },
    // Those that people stopped, which the one above leaves out.
    {
      name: "batches_blocked",
      answers: [],
      states: ["ON_HOLD", "AWAITING_APPROVAL", "ONLY_AWAITING_APPROVAL"],
    },
    // Claimed ones. A claim takes up to 500 batches.
    { name: "batches_leased", answers: [], states: ["FINALIZING"], isSmall: true },
  ],
  finalizedAt: [
    // For a contract's statement of a month.
    { name: "batches_contract_finalized", answers: ["contractAddress"], states: ["FINALIZED"] },
    // All types together, since batches of one run have the same time.
    { name: "batches_finalized", answers: [], states: ["FINALIZED"] },
  ],
  // No plan names these. They make a condition within a range cheap: Postgres reads them instead of the range
  // if its statistics say that they have fewer batches.
  conditions: [
    { name: "batches_id_once", answers: ["idPrefix"] },
    { name: "batches_by_reversed", answers: ["reversals"] },
    { name: "payout_parts_by_payout", table: "payout_parts", answers: ["payoutId"] },
  ],
} as const satisfies Record<Time | "entries" | "conditions", readonly Index[]>;

/** Batches that an index has next to each other, in order. */
export interface Range {
  index: Index;
  pointType?: PointType;
  state?: State;
}

export interface Source {
  /** The order in which the ranges are read. A part of an index in another order is sorted. */
  time: Time;
  /** None if the filters contradict each other, such as on hold and finalized. */
  ranges: readonly Range[];
  /** The filters that are conditions within the ranges, so Postgres may skip batches that do not match. */
  within: BatchFilters;
  /**
   * The filters that are compared with each batch of a range that is searched; empty if its index answers
   * all. Null if the ranges are not searched.
   */
  compared: BatchFilters | null;
  /** Read instead, by its types and statuses, where these have fewer batches than any pair of metadata. */
  instead?: Source;
}

export interface Plan extends Source {
  /**
   * - `contract`: one range or one for each kind, by a statement that is written and planned once.
   * - `ranges`: each range is read in its order up to the page's end.
   * - `entries`: the ranges are searched in steps, each batch is compared, and a page ends early when its
   *   budget is used.
   * - `latest`: no index has the order. The latest 10,000 of the ranges are sorted.
   */
  read: "contract" | "ranges" | "entries" | "latest";
}

/**
 * @param whole all that match are read in order of a time, however many have to be skipped: for exports
 */
export function planOf(filters: BatchFilters, sort: ListSort, whole = false): Plan {
  const { by } = LIST_SORTS[sort];
  if (by === "createdAt" && (whole || !(isFoundByFinalizing(filters) || isFoundByDueTime(filters))))
    return inOrderOfCreation(filters);
  const states = by === "finalizeAt" && statesByDueTime(filters);
  if (states) return { read: "ranges", ...partsOf(states, filters) };
  if (by === "finalizedAt" && (hasOnly(filters, OF_FINALIZED) || (whole && isFoundByFinalizing(filters))))
    return { read: "ranges", ...finalized(filters) };
  return latestOf(filters);
}

/** The plan for an order that no index has, and for totals. With bounds on it, by finalized time. */
export function latestOf(filters: BatchFilters): Plan {
  const source = isFoundByFinalizing(filters) ? withSearch(finalized(filters)) : byCreation(filters);
  return { read: "latest", ...source };
}

/** For a statement that reads all that match: what no index table answers is a condition within the range. */
export function wholeOf(filters: BatchFilters): Source {
  if (isFoundByFinalizing(filters)) return finalized(filters);
  return firstIndex(INDEXES.entries, filters) ? byCreation(filters) : kindsOf(filters);
}

/** The filters of a contract's kept statement. */
const OF_CONTRACT: readonly FilterName[] = [
  "contractAddress",
  "statuses",
  "pointType",
  "createdAfter",
  "createdBefore",
];
/** What the indexes of this order answer. With another filter, a page could skip any number of batches. */
const OF_FINALIZED: readonly FilterName[] = [
  "contractAddress",
  "statuses",
  "finalizedAfter",
  "finalizedBefore",
];

const canMatch = (filters: BatchFilters): boolean => possibleStatuses(filters).length > 0;

const hasOnly = (filters: BatchFilters, names: readonly FilterName[]): boolean =>
  FILTER_NAMES.every((name) => !filters[name] || names.includes(name));

/** There always is one of `batches`, since the last one of each order answers no filter. */
const firstIndex = (rows: readonly Index[], filters: BatchFilters, isOfKinds = false): Index | undefined =>
  rows.find(({ answers }) => answers.every((one) => (one === "kinds" ? isOfKinds : filters[one])));

const OF_INDEX_TABLES: readonly string[] = INDEXES.entries.flatMap(
  ({ answers }): readonly string[] => answers,
);

/** The filters that index tables answer, which a count over other filters has in common with its list. */
export const ofIndexTables = (filters: BatchFilters): BatchFilters =>
  Object.fromEntries(
    FILTER_NAMES.filter((name) => OF_INDEX_TABLES.includes(name)).map((name) => [name, filters[name]]),
  );

/** Index tables have no order by finalized or due time. */
const isFoundByFinalizing = (filters: BatchFilters): boolean =>
  Boolean(filters.finalizedAfter || filters.finalizedBefore) && !firstIndex(INDEXES.entries, filters);

/** Overdue in all contracts: few, but Postgres expects many, and would read all batches by creation. */
const isFoundByDueTime = (filters: BatchFilters): boolean =>
  Boolean(filters.overdue && !filters.contractAddress) && !firstIndex(INDEXES.entries, filters);

function inOrderOfCreation(filters: BatchFilters): Plan {
  if (filters.contractAddress && hasOnly(filters, OF_CONTRACT))
    return { read: "contract", ...kindsOf(filters) };
  const source = byCreation(filters);
  return { read: source.compared ? "entries" : "ranges", ...source, time: "createdAt" };
}

function byCreation(filters: BatchFilters): Source {
  const index = firstIndex(INDEXES.entries, filters);
  if (!index) return withSearch(kindsOf(filters));
  const ranges = canMatch(filters) ? [{ index }] : [];
  const source: Source = { time: "createdAt", ranges, within: {}, compared: unansweredBy(index, filters) };
  const mayHaveFewer = index.table === "batch_metadata" && (filters.pointType || filters.statuses?.length);
  return mayHaveFewer ? { ...source, instead: kindsOf(filters) } : source;
}

/**
 * The filters left to compare in entries. Of metadata, an index answers one pair, which its reader knows. The
 * entry of an unusual batch stays when the batch is done, so the status is compared.
 */
export function unansweredBy({ answers }: Index, filters: BatchFilters): BatchFilters {
  const left = { ...filters };
  for (const answered of answers) if (answered !== "kinds" && answered !== "metadata") delete left[answered];
  if (!answers.includes("unusual")) return left;
  const statuses = possibleStatuses(filters);
  return statuses.length > 0 ? { ...left, statuses } : filters;
}

/** The ranges of `batches` for the types and statuses of the filters, or one range if they have all. */
function kindsOf(filters: BatchFilters): Source {
  const { contractAddress, pointType, overdue } = filters;
  const statuses = possibleStatuses(filters);
  const states = overdue ? overdueStates(statuses) : statuses;
  if (overdue && !contractAddress) return partsOf(states, filters);
  const isOfKinds = pointType !== undefined || statuses.length < BATCH_STATUSES.length;
  const index = firstIndex(INDEXES.createdAt, filters, isOfKinds)!;
  if (!index.answers.includes("kinds"))
    return { time: "createdAt", ranges: [{ index }], within: filters, compared: null };
  const types = pointType ? [pointType] : POINT_TYPES;
  return {
    time: "createdAt",
    ranges: types.flatMap((type) => states.map((state) => ({ index, pointType: type, state }))),
    within: { ...filters, pointType: undefined, statuses: undefined },
    compared: null,
  };
}

const BY_DUE_TIME: readonly Index[] = INDEXES.finalizeAt;

/** Parts of the batches that are not done, each of the index that has it. */
function partsOf(states: readonly State[], filters: BatchFilters): Source {
  const indexOf = (state: State) => BY_DUE_TIME.find((index) => index.states?.includes(state))!;
  const ranges = states.map((state) => ({ index: indexOf(state), state }));
  return { time: "finalizeAt", ranges, within: filters, compared: null };
}

function finalized(filters: BatchFilters): Source {
  const index = firstIndex(INDEXES.finalizedAt, filters)!;
  const ranges: Range[] = canMatch(filters) ? [{ index, state: "FINALIZED" }] : [];
  return { time: "finalizedAt", ranges, within: filters, compared: null };
}

/** The parts which together are all that match, if each has the order by due time; otherwise null. */
function statesByDueTime(filters: BatchFilters): State[] | null {
  const { recipient, metadata, overdue, unblocked, held, awaitingApproval, statuses = [] } = filters;
  // Both are found through index tables, which are in order of creation.
  if (recipient || metadata) return null;
  const possible = possibleStatuses(filters);
  if (possible.length === 0) return [];
  // First, because a batch on hold is not overdue, however late it is.
  if (overdue) return overdueStates(possible);
  if (unblocked) return ["UNBLOCKED"];
  if (held) return ["ON_HOLD"];
  if (awaitingApproval) return ["AWAITING_APPROVAL"];
  if (statuses.length === 0 || statuses.some((one) => one === "FINALIZED" || one === "CANCELLED"))
    return null;
  return statuses.flatMap((status): State[] =>
    status === "PENDING" ? ["UNBLOCKED", "ON_HOLD", "ONLY_AWAITING_APPROVAL"] : [status],
  );
}

/** Pending batches that nothing blocks, and those that a finalizer has claimed and not finalized. */
const overdueStates = (statuses: readonly BatchStatus[]): State[] =>
  statuses.map((status) => (status === "PENDING" ? "UNBLOCKED" : status));

/** The filters that no index has are compared, instead of conditions that may skip any number of batches. */
function withSearch(source: Source): Source {
  if (!FILTER_NAMES.some((name) => source.within[name] && filterOf(name).searched)) return source;
  return {
    ...source,
    within: chooseFilters(source.within, ({ searched }) => !searched),
    compared: chooseFilters(source.within, ({ searched }) => searched),
  };
}
