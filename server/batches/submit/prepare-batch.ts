import type { BatchLimits } from "../../kernel/batch-limits";
import { formatPoints, sumPoints } from "../../kernel/values/points";
import { contentDigest, transfersHash } from "./digest";
import type { SubmitBatchInput } from "./submit-schema";

/** Values computed from a batch's content alone. */
export interface PreparedBatch {
  digest: Buffer;
  transfersHash: Buffer;
  /** Sum of the transfers, as a decimal string. */
  total: string;
  waitSeconds: number;
}

export function prepareBatch(input: SubmitBatchInput, limits: BatchLimits): PreparedBatch {
  return {
    digest: contentDigest(input),
    transfersHash: transfersHash(input),
    total: formatPoints(sumPoints(input.transfers.map((row) => row.points))),
    waitSeconds: input.secondsToFinalize ?? limits.defaultFinalizeSeconds,
  };
}
