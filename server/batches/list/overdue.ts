import { and, eq, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import { OVERDUE_AFTER_SECONDS } from "../../kernel/values/batch-state";

/** Overdue: past its due time by more than a running finalizer needs, by the database's clock or at the given instant. */
export const isOverdue = (at: SQL = sql`now()`): SQL => lt(batches.finalizeAt, overdueBefore(at));

/** Batches due before this time are overdue at the given instant. */
export const overdueBefore = (at: SQL): SQL => sql`${at} - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;

/** Pending batches that a finalizer claims when they are due: the range of `batches_due`. */
export const isUnblocked = (): SQL =>
  and(eq(batches.status, "PENDING"), isNull(batches.heldAt), not(batches.awaitsApproval))!;

/**
 * Batches that may be overdue: pending ones that are not on hold and await no approval, and those that a finalizer has claimed and not settled.
 * Read separately, each is a range of its own index: `batches_due`, and `batches_leased`, which is always small.
 */
export const overdueBranches = (): readonly [waiting: SQL, claimed: SQL] => [
  isUnblocked(),
  eq(batches.status, "FINALIZING"),
];
