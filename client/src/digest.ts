import { canonicalReversalText, canonicalBatchText as textOf } from "../../terms/batch-text.ts";
import { InvalidArgument } from "./client-error.ts";
import type { BatchWithTransfers, NewBatch } from "./shapes.ts";

/**
 * The canonical text of a batch; its SHA-256 is the digest that the service stores.
 * @param reverses on a reversal: the ID of the batch that it takes back
 */
export function canonicalBatchText(contractAddress: string, batch: NewBatch, reverses?: string): string {
  const content = { ...batch, contractAddress };
  return reverses === undefined ? textOf(content) : canonicalReversalText({ ...content, reverses });
}

/** The digest of a batch to submit, 64 hex digits. The service computes the same for a stored batch. */
export function batchDigest(contractAddress: string, batch: NewBatch, reverses?: string): Promise<string> {
  return sha256(canonicalBatchText(contractAddress, batch, reverses));
}

/**
 * Whether a batch from the service matches its digest. A batch does not show whether its wait was sent or
 * omitted, so either may match.
 */
export async function verifyDigest(batch: BatchWithTransfers): Promise<boolean> {
  const waitSeconds = (Date.parse(batch.finalizeAt) - Date.parse(batch.createdAt)) / 1000;
  for (const secondsToFinalize of [undefined, waitSeconds]) {
    const content = { ...batch, secondsToFinalize };
    if ((await batchDigest(batch.contractAddress, content, batch.reverses)) === batch.digest) return true;
  }
  return false;
}

export async function sha256(text: string): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new InvalidArgument("SHA-256 is unavailable, because this page is not served over https.");
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
