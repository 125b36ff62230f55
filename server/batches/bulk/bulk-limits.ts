/** Maximum batches of one job. */
export const BULK_BATCHES_MAX = 50_000;
/** Maximum batches chosen row by row. */
export const BULK_CHOSEN_MAX = 1000;
