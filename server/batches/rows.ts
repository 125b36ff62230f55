import { addressFromBytes } from "../ledger/addresses";
import { shortestPoints } from "../ledger/points";
import type { BatchOut } from "./schema";

/** A database time as RFC 3339, UTC, milliseconds. */
export function toTimestamp(value: Date | string): string {
  return (typeof value === "string" ? new Date(value) : value).toISOString();
}

export interface BatchRow {
  id: string;
  contractAddress: Buffer;
  pointType: BatchOut["pointType"];
  status: BatchOut["status"];
  points: string;
  transferCount: number;
  createdAt: Date;
  finalizeAt: Date;
  updatedAt: Date | null;
}

/** A batch as it leaves the service: exactly the nine documented fields. */
export function toBatchOut(row: BatchRow): BatchOut {
  return {
    id: row.id,
    contractAddress: addressFromBytes(row.contractAddress),
    pointType: row.pointType,
    createdAt: toTimestamp(row.createdAt),
    finalizeAt: toTimestamp(row.finalizeAt),
    updatedAt: row.updatedAt && toTimestamp(row.updatedAt),
    status: row.status,
    points: shortestPoints(row.points),
    transferCount: row.transferCount,
  };
}
