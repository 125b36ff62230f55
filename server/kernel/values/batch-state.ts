export const BATCH_STATUSES = ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"] as const;
/** From PENDING to FINALIZING or CANCELLED, and from FINALIZING to FINALIZED. A trigger in `db/migrations` allows nothing else. */
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** A finalizer needs a moment after the due time, so a batch counts as overdue only after this. */
export const OVERDUE_AFTER_SECONDS = 5;
