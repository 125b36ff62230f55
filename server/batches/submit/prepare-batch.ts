import { createHash } from "node:crypto";
import type { BatchLimits } from "../../kernel/batch-limits";
import { formatPoints, sumPoints } from "../../kernel/values/points";
import { DomainError } from "../../kernel/values/problems";
import { canonicalBatchText } from "./digest";
import type { SubmitBatchInput } from "./submit-schema";

/** Values computed from a batch's content alone. */
export interface PreparedBatch {
  digest: Buffer;
  /** Sum of the transfers, as a decimal string. */
  total: string;
  waitSeconds: number;
}

export function prepareBatch(input: SubmitBatchInput, limits: BatchLimits): PreparedBatch {
  return {
    digest: createHash("sha256").update(canonicalBatchText(input)).digest(),
    total: formatPoints(sumPoints(input.transfers.map((row) => row.points))),
    waitSeconds: input.secondsToFinalize ?? limits.defaultFinalizeSeconds,
  };
}

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
