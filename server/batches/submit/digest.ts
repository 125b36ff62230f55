import type { PointType } from "../../kernel/values/point-types";
import { shortestPoints } from "../../kernel/values/points";

export interface DigestedBatch {
  contractAddress: string;
  pointType: PointType;
  /** As sent by the caller; null and absent are equivalent. */
  secondsToFinalize?: number | null | undefined;
  transfers: readonly { toAddress: string; points: string }[];
}

/**
 * The canonical text of a batch. Its SHA-256 is the batch's digest; equal digests mean the same content. Lines end in
 * `\n`: format name, contract, point type, wait (`default` if not sent), then one line per row in the order sent. A row is
 * `<address> <points>`, with the address in lower case and points in shortest form.
 */
export function canonicalBatchText(batch: DigestedBatch): string {
  return `point-batch-1\n${headOf(batch)}${rowsOf(batch)}`;
}

/** The same for a reversal: another format name, and after the wait a line with the ID of the batch that it takes back. */
export function canonicalReversalText(batch: DigestedBatch & { reverses: string }): string {
  return `point-reversal-1\n${headOf(batch)}${batch.reverses}\n${rowsOf(batch)}`;
}

const headOf = ({ contractAddress, pointType, secondsToFinalize }: DigestedBatch) =>
  `${contractAddress.toLowerCase()}\n${pointType}\n${secondsToFinalize ?? "default"}\n`;

function rowsOf({ transfers }: DigestedBatch): string {
  let rows = "";
  for (const { toAddress, points } of transfers) rows += `${toAddress} ${shortestPoints(points)}\n`;
  return rows.toLowerCase();
}
