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

/** Who submitted a batch: `token:<name>`, `operator:<address>`, `staff:<email>` or `ops`. */
export const SUBMITTER_PATTERN =
  /^(?:token:[^\0\p{Surrogate}]{1,100}|operator:0x[0-9a-fA-F]{40}|staff:[^\s\0\p{Surrogate}]{1,254}|ops)$/u;

/** Whether all batches of a list are FINALIZED, so that they can be sorted by when they were. */
export const listsFinalized = (filters: {
  statuses?: readonly string[] | undefined;
  finalizedAfter?: string | undefined;
  finalizedBefore?: string | undefined;
}): boolean =>
  Boolean(filters.finalizedAfter || filters.finalizedBefore || filters.statuses?.join() === "FINALIZED");
