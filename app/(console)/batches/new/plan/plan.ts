import type { BatchReview } from "@/server/batches/list/findings";
import type { PointType } from "@/server/kernel/values/batch-terms";
import type { ShownProblem } from "../../../../data/problem";
import { uploadPath } from "../../paths";
import type { Part } from "../csv/checked";
import { partId } from "../csv/reference";

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
  /** Links the batches of one file. Plans saved by earlier versions have none. */
  uploadId?: string;
  /** ID of the cancelled batch of the same contract that it corrects. */
  corrects?: string;
  fileName: string;
  rowCount: number;
  /** Exact total, decimal string. */
  points: string;
  parts: Part[];
  /** Once it is confirmed, some parts may be stored. */
  confirmed: boolean;
}

export type PartState =
  | { kind: "waiting" }
  | { kind: "trying" }
  /** The dry run succeeded. */
  | { kind: "ready"; finalizeAt: string; available: string; review: BatchReview | null }
  | { kind: "sending" }
  /** `before`: an earlier submit of the same rows stored it. */
  | { kind: "stored"; finalizeAt: string; available: string; before: boolean }
  | { kind: "refused"; problem: ShownProblem & { available?: string } };

export const isStored = (part: PartState) => part.kind === "stored";

export const idOfPart = (plan: Plan, part: number) => partId(plan.reference, part, plan.parts.length);

const FILE_NAME_CHARS_MAX = 120;

/** What links this part to the others; nothing for a file of one batch. */
export function uploadOfPart({ uploadId, fileName, parts }: Plan, part: number) {
  if (!uploadId || parts.length === 1) return {};
  const name = [...fileName.replaceAll("\0", "")].slice(0, FILE_NAME_CHARS_MAX).join("");
  return { upload: { id: uploadId, part: part + 1, partCount: parts.length, fileName: name || "file" } };
}

/** The filtered list, or the batch itself when there is only one. */
export function batchesPath(plan: Plan): string {
  const { contractAddress, reference, parts, uploadId } = plan;
  if (parts.length === 1) return `/batches/${contractAddress}/${encodeURIComponent(reference)}`;
  if (uploadId) return uploadPath(uploadId);
  return `/batches?${new URLSearchParams({ contract: contractAddress, id: `${reference}.` })}`;
}
