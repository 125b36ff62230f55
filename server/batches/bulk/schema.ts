import { z } from "zod";
import { BatchFiltersInput, type ConsoleBatch, ReasonField } from "@/server/batches/list/console-schema";
import { waitField } from "@/server/batches/submit/submit-schema";
import type { BatchLimits } from "@/terms/batch-limits";
import { BatchKeyInput } from "@/terms/batch-schema";
import type { BatchStatus, PointType } from "@/terms/batch-terms";
import { BULK_CHOSEN_MAX } from "@/terms/filters";

export const PREVIEW_MINUTES = 60;
/** Maximum batches of one action. */
export const BULK_BATCHES_MAX = 200_000;
/** How long an ended job can be read. The audit log keeps its changes. */
export const BULK_KEPT_DAYS = 90;

export const BULK_ACTIONS = ["hold", "release", "cancel", "reverse", "approve"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** `EXCLUDED` at the preview. `OVERTAKEN`: someone else was faster. `FAILED`: refused by the database. */
export type BulkResult = "DONE" | "EXCLUDED" | "OVERTAKEN" | "FAILED";

/**
 * Why a batch cannot be changed: its state, or why it cannot be released, taken back or approved. `WAITS`:
 * for its payout's release. `SHORT`: recipients have too few points, which a take back then leaves.
 * `DECIDED`: it awaits no approval. `OWN`: the person is no second person for it.
 */
export type BulkObstacle =
  | BatchStatus
  | ("HELD" | "NOT_HELD" | "WAITS" | "REVERSED" | "SHORT" | "DECIDED" | "OWN");

export const BulkPreviewInput = z.strictObject({
  action: z.enum(BULK_ACTIONS),
  /** To take back or approve, the contract and the payout: a rule weighs the sum of all. */
  chosen: z.union([
    z.strictObject({ filters: BatchFiltersInput }),
    z.strictObject({ keys: z.array(BatchKeyInput).min(1).max(BULK_CHOSEN_MAX) }),
  ]),
});
export type BulkPreviewInput = z.output<typeof BulkPreviewInput>;

export const BulkJobInput = z.strictObject({ jobId: z.uuid() });
export const bulkStartInput = (limits: BatchLimits) =>
  BulkJobInput.extend({ reason: ReasonField, secondsToFinalize: waitField(limits, "reversal") });
export type BulkStartInput = z.output<ReturnType<typeof bulkStartInput>>;

export interface Share {
  batches: number;
  transfers: number;
  /** Exact, per point type. */
  amounts: { pointType: PointType; points: string }[];
}

/** Batches that are not changed, or not whole, by reason: a `BulkObstacle` or the message of a failure. */
export type Obstacles = (Share & { result: BulkResult; why: string })[];

export interface BulkJob {
  id: string;
  action: BulkAction;
  status: "RUNNING" | "FINISHED" | "STOPPED";
  reason: string;
  createdBy: string;
  startedAt: string;
  finishedAt: string | null;
  stoppedBy: string | null;
  /** Batches chosen, including those that cannot be changed. */
  batches: number;
  open: Share;
  done: Share;
  obstacles: Obstacles;
}

export interface BulkItem
  extends Pick<ConsoleBatch, "contractAddress" | "contractLabel" | "pointType" | "points" | "transferCount"> {
  position: number;
  batchId: string;
  status: BatchStatus;
  /** Null unless it is a reversal. */
  reversesSeq: string | null;
  result: BulkResult | null;
  resultAt: string | null;
  why: string | null;
  whyBy: string | null;
  whyAt: string | null;
}
