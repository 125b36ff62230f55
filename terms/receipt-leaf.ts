import type { PointType } from "./batch-terms";
import { parsePoints } from "./points";

/** Contract, batch ID, point type, position, recipient, and the amount as a whole number of 10⁻¹² points. */
export const LEAF_TYPES = ["address", "string", "string", "uint256", "address", "uint256"] as const;

export type BatchOfTree = { contractAddress: string; batchId: string; pointType: PointType };

/** The values of a leaf, as `StandardMerkleTree.verify` takes them. */
export const leafOf = (
  batch: BatchOfTree,
  { toAddress, points }: { toAddress: string; points: string },
  position: number,
): string[] => [
  batch.contractAddress,
  batch.batchId,
  batch.pointType,
  String(position),
  toAddress,
  String(parsePoints(points)),
];
