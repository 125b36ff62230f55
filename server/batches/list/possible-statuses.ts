import { BATCH_STATUSES, type BatchStatus } from "../../kernel/values/batch-state";
import type { BatchFilters } from "./console-schema";

/** The statuses of batches that can match all filters. None if the filters contradict each other, such as on hold and finalized. */
export function possibleStatuses(filters: BatchFilters): BatchStatus[] {
  const { statuses, held, awaitingApproval, unblocked, overdue, finalizedAfter, finalizedBefore } = filters;
  const allowed: (readonly BatchStatus[])[] = [];
  if (statuses?.length) allowed.push(statuses);
  if (held || awaitingApproval || unblocked) allowed.push(["PENDING"]);
  if (overdue) allowed.push(["PENDING", "FINALIZING"]);
  if (finalizedAfter || finalizedBefore) allowed.push(["FINALIZED"]);
  return BATCH_STATUSES.filter((status) => allowed.every((some) => some.includes(status)));
}
