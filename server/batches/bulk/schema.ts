import { z } from "zod";
import { BatchFiltersInput, type ConsoleBatch, ReasonField } from "@/server/batches/list/console-schema";
import { BatchKeyInput } from "@/terms/batch-schema";
import type { BatchStatus, PointType } from "@/terms/batch-terms";
import { BULK_CHOSEN_MAX } from "@/terms/filters";

export const PREVIEW_MINUTES = 60;
/** How long an ended job can be read. The audit log keeps its changes. */
export const BULK_KEPT_DAYS = 90;

export const BULK_ACTIONS = ["hold", "release", "cancel"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** `EXCLUDED` at the preview. `OVERTAKEN`: someone else was faster. `FAILED`: refused by the database. */
export type BulkResult = "DONE" | "EXCLUDED" | "OVERTAKEN" | "FAILED";

/** Why a batch cannot be changed: its state, or why it cannot be released. `WAITS`: for its payout's release. */
export type BulkObstacle = Exclude<BatchStatus, "PENDING"> | "HELD" | "NOT_HELD" | "WAITS";

export const BulkPreviewInput = z.strictObject({
  action: z.enum(BULK_ACTIONS),
  chosen: z.union([
    z.strictObject({ filters: BatchFiltersInput }),
    z.strictObject({ keys: z.array(BatchKeyInput).min(1).max(BULK_CHOSEN_MAX) }),
  ]),
});
export type BulkPreviewInput = z.output<typeof BulkPreviewInput>;

export const BulkJobInput = z.strictObject({ jobId: z.uuid() });
export const BulkStartInput = BulkJobInput.extend({ reason: ReasonField });
export type BulkStartInput = z.output<typeof BulkStartInput>;

export interface Share {
  batches: number;
  transfers: number;
  /** Exact, per point type. */
  amounts: { pointType: PointType; points: string }[];
}

/** Batches that were not or will not be changed, by reason: a `BulkObstacle` or the message of a failure. */
export type Obstacles = (Share & { result: Exclude<BulkResult, "DONE">; why: string })[];

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
  now: string;
}

export interface BulkItem
  extends Pick<ConsoleBatch, "contractAddress" | "contractLabel" | "pointType" | "points" | "transferCount"> {
  position: number;
  batchId: string;
  result: BulkResult | null;
  resultAt: string | null;
  why: string | null;
  whyBy: string | null;
  whyAt: string | null;
}
