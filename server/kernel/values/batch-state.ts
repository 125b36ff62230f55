export const BATCH_STATUSES = ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** A finalizer needs a moment after the due time. A batch counts as overdue only after this, claimed or not. */
export const OVERDUE_AFTER_SECONDS = 5;

/** The allowed transitions from each status. An SQL trigger enforces the same (migration legal-state-changes). */
export const NEXT_STATUSES = {
  PENDING: ["FINALIZING", "CANCELLED"],
  CANCELLED: [],
  FINALIZING: ["FINALIZED"],
  FINALIZED: [],
} as const satisfies Record<BatchStatus, readonly BatchStatus[]>;

/** Whether a batch may change from one status to another. */
export function mayBecome(from: BatchStatus, to: BatchStatus): boolean {
  return (NEXT_STATUSES[from] as readonly BatchStatus[]).includes(to);
}
