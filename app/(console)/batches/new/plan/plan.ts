import type { PointType } from "@/server/ledger/point-types";
import type { Part } from "../csv/check-rows";
import { partId } from "../csv/reference";

export interface Transfer {
  toAddress: string;
  points: string;
}

/** What will be sent, but for the rows: they are kept part by part. */
export interface Plan {
  /** E-mail of the person whose plan it is: a browser may have several people. */
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
  /** Whether the person has confirmed it: some parts may be stored. */
  confirmed: boolean;
}

export const idOfPart = (plan: Plan, part: number) => partId(plan.reference, part, plan.parts.length);

/** The list of the plan's batches, or the batch when it is one. */
export function batchesPath(plan: Plan): string {
  const { contractAddress, reference, parts } = plan;
  if (parts.length === 1) return `/batches/${contractAddress}/${encodeURIComponent(reference)}`;
  return `/batches?${new URLSearchParams({ contract: contractAddress, id: `${reference}.` })}`;
}
