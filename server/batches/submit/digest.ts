import { createHash } from "node:crypto";
import { stringify } from "uuid";
import type { BatchLimits } from "@/terms/batch-limits";
import { canonicalBatchText, type DigestedBatch, rowsOf } from "@/terms/batch-text";
import { formatPoints, sumPoints } from "@/terms/points";
import type { SubmitBatchInput } from "./submit-schema";

export const contentDigest = (batch: DigestedBatch): Buffer => sha256(canonicalBatchText(batch));

/** The SHA-256 of a batch's sorted rows. Order, wait, metadata and references do not change it. */
export const transfersHash = (batch: Pick<DigestedBatch, "transfers">, rows = rowsOf(batch)): Buffer =>
  sha256(sortedRows(rows.slice(0, -1).split("\n")));

/**
 * The ID of a batch that is submitted with an `Idempotency-Key`: a UUIDv8 of contract and key. So a key needs
 * no table, and does not expire.
 */
export function idOfKey(contractAddress: string, key: string): string {
  const bytes = sha256(`idempotency-key\n${contractAddress.toLowerCase()}\n${key}`).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return stringify(bytes);
}

export const sha256 = (text: string) => createHash("sha256").update(text).digest();

const KEY_FROM = "0x".length;
const KEY_UNTIL = KEY_FROM + 8;
const ZERO = 48;
const LETTER_BEFORE_A = 96;

/**
 * Sorts by the first digits of the address, as numbers. For 2,000 rows of a submit that takes 0.3 ms, and
 * sorting texts 2 ms. Rows with the same first digits are rare, except in tests.
 */
function sortedRows(rows: string[]): string {
  const keys = new Float64Array(rows.length);
  for (const [at, row] of rows.entries()) {
    let key = 0;
    for (let place = KEY_FROM; place < KEY_UNTIL; place++) {
      const code = row.charCodeAt(place);
      key = key * 16 + (code < LETTER_BEFORE_A ? code - ZERO : code - LETTER_BEFORE_A + 9);
    }
    keys[at] = key * rows.length + at;
  }
  let sorted = "";
  let previous = -1;
  for (const key of keys.sort()) {
    const digits = Math.floor(key / rows.length);
    if (digits === previous) return rows.sort().join("\n");
    previous = digits;
    sorted += `${sorted && "\n"}${rows[key % rows.length]}`;
  }
  return sorted;
}

export type PreparedBatch = { digest: Buffer; transfersHash: Buffer; total: string; waitSeconds: number };

export function prepareBatch(input: SubmitBatchInput, limits: BatchLimits): PreparedBatch {
  const rows = rowsOf(input);
  return {
    digest: sha256(canonicalBatchText(input, rows)),
    transfersHash: transfersHash(input, rows),
    total: formatPoints(sumPoints(input.transfers.map((row) => row.points))),
    waitSeconds: input.secondsToFinalize ?? limits.defaultFinalizeSeconds,
  };
}
