export const BATCH_STATUSES = ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** A finalizer needs a moment after the due time; only later is a batch called overdue, claimed or not. */
export const OVERDUE_AFTER_SECONDS = 5;

/** The states a batch may go to from each state; a trigger in SQL says the same (migration legal-state-changes). */
export const NEXT_STATUSES = {
  PENDING: ["FINALIZING", "CANCELLED"],
  CANCELLED: [],
  FINALIZING: ["FINALIZED"],
  FINALIZED: [],
} as const satisfies Record<BatchStatus, readonly BatchStatus[]>;

/** Whether a batch may go from one state to another. */
export function mayBecome(from: BatchStatus, to: BatchStatus): boolean {
  return (NEXT_STATUSES[from] as readonly BatchStatus[]).includes(to);
}
