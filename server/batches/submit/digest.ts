import type { PointType } from "../../kernel/values/point-types";
import { shortestPoints } from "../../kernel/values/points";

export interface DigestedBatch {
  contractAddress: string;
  pointType: PointType;
  /** As the caller sent it; null and absent are the same. */
  secondsToFinalize?: number | null | undefined;
  transfers: readonly { toAddress: string; points: string }[];
}

/**
 * The canonical text of a batch. Its SHA-256 is the batch's digest: two submits have the same content when their
 * digests are equal. Lines end in `\n`: format name, contract, point type, wait (`default` when not sent), then one
 * line a row, `<address> <points>`, in the order sent; addresses in lower case, points in shortest form.
 */
export function canonicalBatchText(batch: DigestedBatch): string {
  const { contractAddress, pointType, secondsToFinalize, transfers } = batch;
  const head = `point-batch-1\n${contractAddress.toLowerCase()}\n${pointType}\n${secondsToFinalize ?? "default"}\n`;
  const rows = transfers.map(({ toAddress, points }) => `${toAddress} ${shortestPoints(points)}\n`);
  return head + rows.join("").toLowerCase();
}
