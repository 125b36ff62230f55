import { and, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import { OVERDUE_AFTER_SECONDS } from "../../kernel/values/batch-state";

/** Past its due time by more than a finalizer at work needs, by the database's clock. */
export const isLate = (): SQL => lt(batches.finalizeAt, lateBefore(sql`now()`));

/** The due time that is just not late at an instant. */
export const lateBefore = (at: SQL): SQL => sql`${at} - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;

/**
 * What may be overdue: what waits and is not held, and what a finalizer claimed and has not settled. Read one by one, each
 * is a range of an index of its own: `batches_due`, and `batches_leased`, which is as small as what is claimed at once.
 */
export const overdueBranches = (): readonly [waiting: SQL, claimed: SQL] => [
  and(eq(batches.status, "PENDING"), isNull(batches.heldAt))!,
  eq(batches.status, "FINALIZING"),
];
