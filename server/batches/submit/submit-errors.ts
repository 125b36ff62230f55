import type { BatchLimits } from "../../kernel/batch-limits";
import { toTimestamp } from "../../kernel/values/batch-rows";
import { DomainError, FIELD_ERRORS_MAX } from "../../kernel/values/problems";
import type { SubmitBatchInput } from "./submit-schema";

/** Maximum errors per row: both fields missing and two unknown ones in their place. */
const ERRORS_PER_ROW = 4;

/** How many field errors a reply lists. A dry run lists every error that a full batch can have. */
export const fieldErrorsMax = (input: { dryRun?: unknown }, limits: BatchLimits) =>
  FIELD_ERRORS_MAX + (input.dryRun === true ? ERRORS_PER_ROW * limits.transfersMax : 0);

export function batchIdConflict(batchId: string, stored: Buffer, sent: Buffer): DomainError {
  return new DomainError(
    "batch_id_conflict",
    `The ID ${batchId} is already used by a batch with different content.`,
    {
      extra: { storedDigest: stored.toString("hex"), sentDigest: sent.toString("hex") },
    },
  );
}

export function insufficientPoints(
  input: SubmitBatchInput,
  { available, total, cause }: { available: string; total: string; cause?: unknown },
): DomainError {
  return new DomainError(
    "insufficient_points",
    `The batch needs ${total} ${input.pointType}, but the contract has only ${available} available.`,
    { extra: { available, asked: total }, cause },
  );
}

/** The caller must not read a repeat as success: the batch under this id will never be finalized. */
export function batchCancelled(batchId: string, cancelledAt: string): DomainError {
  const since = toTimestamp(cancelledAt);
  return new DomainError(
    "batch_cancelled",
    `The batch ${batchId} was cancelled at ${since} and will not be finalized. Send it again under a new ID.`,
    { extra: { since } },
  );
}
