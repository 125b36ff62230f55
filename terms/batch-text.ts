import { type Metadata, type PointType, sortedMetadata } from "./batch-terms";
import { shortestPoints } from "./points";

export interface DigestedBatch {
  contractAddress: string;
  pointType: PointType;
  /** As sent by the caller; null and absent are equivalent. */
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

/** The same for a reversal: another format name, and after the wait a line with the ID that it takes back. */
export const canonicalReversalText = (batch: DigestedBatch & { reverses: string }): string =>
  `point-reversal-1\n${headOf(batch)}${batch.reverses}\n${rowsOf(batch)}`;

const headOf = ({ contractAddress, pointType, secondsToFinalize }: DigestedBatch) =>
  `${contractAddress.toLowerCase()}\n${pointType}\n${secondsToFinalize ?? "default"}\n`;

export function rowsOf({ transfers }: Pick<DigestedBatch, "transfers">): string {
  let rows = "";
  for (const { toAddress, points } of transfers) rows += `${toAddress} ${shortestPoints(points)}\n`;
  return rows.toLowerCase();
}
