import { z } from "zod";
import type { ReversalState } from "@/server/kernel/batch-rows";
import type { Transfer } from "@/server/ledger/packed-transfers";
import { BatchKeyInput, type BatchOut, LIST_LIMIT_MAX, type PayoutCounts } from "@/terms/batch-schema";
import { SUBMITTER_PATTERN } from "@/terms/batch-terms";
import {
  AddressField,
  BatchIdField,
  MetadataFilter,
  PointTypeField,
  StatusField,
  TimestampField,
  textField,
} from "@/terms/fields";
import {
  FILTER_NAMES,
  FILTERS,
  type FilterKind,
  type FilterName,
  LIST_SORT_NAMES,
  listsFinalized,
} from "@/terms/filters";
import { isPoints } from "@/terms/points";

const REFRESH_KEYS_MAX = 100;

const KINDS = {
  address: AddressField,
  statuses: z.array(StatusField).max(4),
  mark: z.boolean(),
  pointType: PointTypeField,
  batchId: BatchIdField,
  points: z.string().refine(isPoints, "must be a decimal string"),
  submitter: z.string().regex(SUBMITTER_PATTERN, "must be token:…, operator:…, staff:… or ops"),
  after: TimestampField,
  before: TimestampField,
  flag: z.boolean(),
  review: z.boolean(),
  metadata: MetadataFilter,
} satisfies Record<FilterKind, z.ZodType>;

const filterFields = Object.fromEntries(
  FILTER_NAMES.map((name) => [name, KINDS[FILTERS[name].kind].optional()]),
) as { [Name in FilterName]: z.ZodOptional<(typeof KINDS)[(typeof FILTERS)[Name]["kind"]]> };

export const BatchFiltersInput = z.strictObject(filterFields);
export type BatchFiltersInput = z.output<typeof BatchFiltersInput>;

export const ConsoleListInput = BatchFiltersInput.extend({
  sort: z.enum(LIST_SORT_NAMES).optional(),
  limit: z.int().min(1).max(LIST_LIMIT_MAX).optional(),
  cursor: z.string().nullish(),
}).refine((input) => !input.sort?.startsWith("FINALIZED") || listsFinalized(input), {
  path: ["sort"],
  message: "is only available for finalized batches",
});
export type ConsoleListInput = z.output<typeof ConsoleListInput>;

/** A batch as staff see it: as callers do, and more. */
export interface ConsoleBatch extends BatchOut {
  contractLabel: string;
  /** `token:<name>`, `operator:<address>`, `staff:<email>` or `ops`. */
  submittedBy: string;
  heldAt: string | null;
  holdReason: string | null;
  /** It is on hold since its submit, until its whole payout is released. */
  heldForPayout: boolean;
  /** Meanwhile a person put it on hold. */
  heldApart: boolean;
  /** A second person must approve it before it is finalized. */
  awaitsApproval: boolean;
  /** What its review found, in words, if that starts an alert. Stored a few seconds after the submit. */
  flag: { level: "unusual" | "alarming"; why: string } | null;
  /** What finalized reversals have taken back of it; absent if nothing. */
  takenBack?: string;
  payout: PayoutOfBatch | null;
  /** Of a reversal: the payout that its batch is part of, with the figures of all that take it back. */
  takesBack: PayoutOfBatch | null;
}

/** The payout that a batch is part of. The figures are those of its batches of the same point type. */
export interface PayoutOfBatch {
  id: string;
  name: string;
  /** The batch's place in the file, counted from 1; null for batches of `/v1`. */
  part: number | null;
  /** How many batches the file has; null for batches of `/v1`. */
  partCount: number | null;
  /** How many of those are stored. Neither corrections nor batches of `/v1` are among them. */
  storedParts: number;
  /** Batches stored, cancelled ones included. Transfers and points are those that are or will be paid. */
  stored: number;
  /** Whether something that was cancelled of it is not paid by another batch of it (not-paid.ts). */
  isShort: boolean;
  /** False if the payout has more batches than a list reads: the figures are then minimums. */
  isWhole: boolean;
  transferCount: number;
  points: string;
  takenBack: string;
  counts: PayoutCounts;
  /** When the first batch that is not cancelled is due; null if all are cancelled. */
  firstDueAt: string | null;
  /** The same of those that are neither finalized nor on hold. */
  nextDueAt: string | null;
}

/**
 * `THRESHOLD`: its points. `DAY`: those of its day. `REVIEW`: its review is not done. `UNUSUAL`: what the
 * review found. `NOT_REVIEWED`: the review failed.
 */
export type ApprovalNeed = "THRESHOLD" | "DAY" | "REVIEW" | "UNUSUAL" | "NOT_REVIEWED";

export interface TimelineEntry {
  at: string;
  event: "created" | "held" | "released" | "approved" | "claimed" | "finalized" | "cancelled" | "rejected";
  by: string | null;
  requestId: string | null;
  reason: string | null;
}

/** A reversal on the page of the batch that it takes back, or a part of it. */
export interface ReversalOf extends ReversalState, Omit<TimelineEntry, "event"> {
  points: string;
  transferCount: number;
}

/** Batches to refresh, as `<contract>/<batch id>`. Kept short, since a query's input is part of its URL. */
export const ConsoleRefreshInput = z.strictObject({
  keys: z
    .array(
      z
        .string()
        .transform((key) => {
          const [contractAddress, ...rest] = key.split("/");
          return { contractAddress, batchId: rest.join("/") };
        })
        .pipe(BatchKeyInput),
    )
    .min(1)
    .max(REFRESH_KEYS_MAX),
});

export interface ConsoleTransfer extends Transfer {
  position: number;
  /** The recipient's label, or that of a contract; null without one. */
  label: string | null;
  /** ID of the reversal that has taken it back, or will. */
  takenBackBy?: string | undefined;
}

export const ReasonField = textField(3, 500);

export const ConsoleDecisionInput = BatchKeyInput.extend({ reason: ReasonField });
