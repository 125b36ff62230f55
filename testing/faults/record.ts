import { createHash } from "node:crypto";
import type { NewBatch } from "@/client/src/shapes";
import { canonicalBatchText } from "@/server/batches/submit/digest";

/** What the service has promised to clients: their own record of answers that were 2xx. */
export class AnswerRecord {
  /** `contract/id` → digest of the batch that was sent and acknowledged. */
  readonly submitted = new Map<string, string>();
  /** `contract/id` of batches whose cancelling was acknowledged. */
  readonly cancelled = new Set<string>();
  /** Sent, and neither acknowledged nor refused so far. */
  readonly unknown = new Map<string, string>();
}

export const keyOf = (contract: string, batchId: string) => `${contract.toLowerCase()}/${batchId}`;

/** SHA-256 of the canonical text, as the service makes it. */
export function digestOf(contractAddress: string, batch: NewBatch): string {
  return createHash("sha256")
    .update(canonicalBatchText({ ...batch, contractAddress }))
    .digest("hex");
}
