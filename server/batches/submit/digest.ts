import { createHash } from "node:crypto";
import { stringify } from "uuid";
import type { BatchLimits } from "@/terms/batch-limits";
import { type Metadata, type PointType, sortedMetadata } from "@/terms/batch-terms";
import { formatPoints, shortestPoints, sumPoints } from "@/terms/points";
import type { SubmitBatchInput } from "./submit-schema";

export interface DigestedBatch {
  contractAddress: string;
  pointType: PointType;
  secondsToFinalize?: number | null | undefined;
  metadata?: Metadata | null | undefined;
  transfers: readonly { toAddress: string; points: string; reference?: string | null | undefined }[];
}

/**
 * The canonical text of a batch. Its SHA-256 is the batch's digest; equal digests mean the same content.
 * Lines end in `\n`: format name, contract, point type, wait (`default` if not sent), then one line per row
 * in the order sent. A row is `<address> <points>`, with the address in lower case and points in shortest
 * form. With metadata or any reference, the format is `point-batch-2`: there a line `#<key> <value>` for each
 * key, sorted, precedes the rows, and a row that has a reference ends in a space and the reference.
 */
export function canonicalBatchText(batch: DigestedBatch, rows = rowsOf(batch)): string {
  const metadata = sortedMetadata(batch.metadata).map(([key, value]) => `#${key} ${value}\n`);
  const hasReferences = batch.transfers.some(({ reference }) => reference);
  if (metadata.length === 0 && !hasReferences) return `point-batch-1\n${headOf(batch)}${rows}`;
  const named = hasReferences ? withReferences(rows, batch) : rows;
  return `point-batch-2\n${headOf(batch)}${metadata.join("")}${named}`;
}

function withReferences(rows: string, { transfers }: DigestedBatch): string {
  let row = 0;
  return rows.replaceAll("\n", () => {
    const { reference } = transfers[row++]!;
    return reference ? ` ${reference}\n` : "\n";
  });
}

export const contentDigest = (batch: DigestedBatch): Buffer => sha256(canonicalBatchText(batch));

/** The same for a reversal: another format name, and after the wait a line with the ID that it takes back. */
export const canonicalReversalText = (batch: DigestedBatch & { reverses: string }): string =>
  `point-reversal-1\n${headOf(batch)}${batch.reverses}\n${rowsOf(batch)}`;

const headOf = ({ contractAddress, pointType, secondsToFinalize }: DigestedBatch) =>
  `${contractAddress.toLowerCase()}\n${pointType}\n${secondsToFinalize ?? "default"}\n`;

function rowsOf({ transfers }: Pick<DigestedBatch, "transfers">): string {
  let rows = "";
  for (const { toAddress, points } of transfers) rows += `${toAddress} ${shortestPoints(points)}\n`;
  return rows.toLowerCase();
}

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

const sha256 = (text: string) => createHash("sha256").update(text).digest();

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
