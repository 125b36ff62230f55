import type { PointType } from "@/server/kernel/values/point-types";
import type { Part } from "../csv/check-rows";
import { partId } from "../csv/reference";

export interface Transfer {
  toAddress: string;
  points: string;
}

/** Everything to submit except the rows, which are stored part by part. */
export interface Plan {
  /** Email of its user: several people may share a browser. */
  owner: string;
  contractAddress: string;
  contractLabel: string;
  issuance: "ON_DEMAND" | "PREFUNDED";
  pointType: PointType;
  secondsToFinalize: number;
  reference: string;
  fileName: string;
  rowCount: number;
  /** Exact total, decimal string. */
  points: string;
  parts: Part[];
  /** Once it is confirmed, some parts may be stored. */
  confirmed: boolean;
}

export const idOfPart = (plan: Plan, part: number) => partId(plan.reference, part, plan.parts.length);

/** The filtered list, or the batch itself when there is only one. */
export function batchesPath(plan: Plan): string {
  const { contractAddress, reference, parts } = plan;
  if (parts.length === 1) return `/batches/${contractAddress}/${encodeURIComponent(reference)}`;
  return `/batches?${new URLSearchParams({ contract: contractAddress, id: `${reference}.` })}`;
}
