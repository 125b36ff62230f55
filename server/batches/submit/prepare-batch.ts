import { createHash } from "node:crypto";
import type { BatchLimits } from "../../kernel/batch-limits";
import { formatPoints, sumPoints } from "../../kernel/values/points";
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
