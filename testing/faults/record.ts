import { createHash } from "node:crypto";
import type { NewBatch } from "@/client/src/shapes";
import { canonicalBatchText } from "@/server/batches/submit/digest";

/** What the service acknowledged, from the clients' own record of 2xx answers. */
export class AnswerRecord {
  /** `contract/id` → digest of the batch that was sent and acknowledged. */
  readonly submitted = new Map<string, string>();
  /** `contract/id` of batches whose cancel was acknowledged. */
  readonly cancelled = new Set<string>();
  /** Sent, but neither acknowledged nor refused yet. */
  readonly unknown = new Map<string, string>();
}

export const keyOf = (contract: string, batchId: string) => `${contract.toLowerCase()}/${batchId}`;

/** SHA-256 of the canonical text, as the service computes it. */
export function digestOf(contractAddress: string, batch: NewBatch): string {
  return createHash("sha256")
    .update(canonicalBatchText({ ...batch, contractAddress }))
    .digest("hex");
}
