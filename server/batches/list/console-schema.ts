import { z } from "zod";
import { LIST_LIMIT_MAX } from "../../kernel/values/batch-schema";
import {
  AddressField,
  BatchIdField,
  PointTypeField,
  rule,
  StatusField,
  TimestampField,
} from "../../kernel/values/fields";
import { isPoints } from "../../kernel/values/points";

/** Counts stop here: "10,000+". */
export const COUNT_MAX = 10_000;

/** Most batches looked at again at once. */
const REFRESH_KEYS_MAX = 100;

/** The filters of the console's batch list, all ANDed; the URL holds them. */
export const BatchFilters = z.strictObject({
  contractAddress: AddressField.optional(),
  statuses: z.array(StatusField).max(4).optional(),
  /** Only batches so long past their due time that they are called overdue: waiting ones that nobody holds, and claimed ones. */
  overdue: z.boolean().optional(),
  /** Only PENDING batches that staff hold. */
  held: z.boolean().optional(),
  pointType: PointTypeField.optional(),
  createdAfter: TimestampField.optional(),
  createdBefore: TimestampField.optional(),
  idPrefix: BatchIdField.optional(),
  recipient: AddressField.optional(),
  minimumPoints: z.string().refine(isPoints, "must be a decimal string").optional(),
});
export type BatchFilters = z.output<typeof BatchFilters>;

export const ConsoleListInput = BatchFilters.extend({
  sort: z.enum(["ASC", "DESC", "DUE"]).optional(),
  limit: z.int().min(1).max(LIST_LIMIT_MAX).optional(),
  cursor: z.string().nullish(),
}).refine(({ sort, overdue }) => sort !== "DUE" || overdue === true, {
  path: ["sort"],
  message: "DUE is the order of overdue batches alone: no index serves it for others",
});
export type ConsoleListInput = z.output<typeof ConsoleListInput>;

/** One row of the console's batch list. Times are RFC 3339, amounts decimal strings. */
export interface ConsoleBatch {
  id: string;
  contractAddress: string;
  contractLabel: string;
  pointType: "PHASE2_POINTS" | "PHASE2_GOLD";
  status: "PENDING" | "CANCELLED" | "FINALIZING" | "FINALIZED";
  points: string;
  transferCount: number;
  createdAt: string;
  finalizeAt: string;
  updatedAt: string | null;
  /** `token:<name>`, `operator:<address>`, `staff:<email>` or `ops`. */
  submittedBy: string;
  /** Since when staff hold it; null when they do not. */
  heldAt: string | null;
}

export interface ConsoleBatchPage {
  batches: ConsoleBatch[];
  cursor: string | null;
  /** The database's clock: countdowns and "overdue" are told by it. */
  now: string;
}

/** Capped counts under the given filters: each group's own filter is left out of its counts. */
export interface BatchFacets {
  statuses: Record<ConsoleBatch["status"], number>;
  pointTypes: Record<ConsoleBatch["pointType"], number>;
  overdue: number;
  held: number;
  countMax: number;
}

export interface TimelineEntry {
  at: string;
  event: "created" | "held" | "released" | "claimed" | "finalized" | "cancelled";
  by: string | null;
  requestId: string | null;
  reason: string | null;
}

export interface ConsoleBatchDetail extends ConsoleBatch {
  digest: string;
  waitSeconds: number;
  timeline: TimelineEntry[];
  /** Who holds it, and why; null when nobody does. */
  hold: { by: string; reason: string } | null;
  /** While FINALIZING: after this its finalizer counts as dead, and another takes the batch over. */
  leaseUntil: string | null;
  now: string;
}

export const ConsoleTransfersInput = z.strictObject({
  contractAddress: AddressField,
  batchId: BatchIdField,
});

/** Batches to look at again, each as `<contract>/<batch id>`: short, for a query's input is part of its address. */
export const ConsoleRefreshInput = z.strictObject({
  keys: z
    .array(
      z
        .string()
        .transform((key) => {
          const [contractAddress, ...rest] = key.split("/");
          return { contractAddress, batchId: rest.join("/") };
        })
        .pipe(ConsoleTransfersInput),
    )
    .min(1)
    .max(REFRESH_KEYS_MAX),
});

export interface ConsoleRefresh {
  /** Those that there are, in no order. */
  batches: ConsoleBatch[];
  /** The database's clock; null when there is none of them. */
  now: string | null;
}

export interface ConsoleTransfer {
  position: number;
  toAddress: string;
  points: string;
}

/** A person's decision about a batch, with the reason. */
export const ConsoleDecisionInput = z.strictObject({
  contractAddress: AddressField,
  batchId: BatchIdField,
  reason: z
    .string()
    .trim()
    .min(3)
    .max(500)
    .refine(
      (value) => !/[\0\p{Surrogate}]/u.test(value),
      rule("invalid_value", "has a character that cannot be stored"),
    ),
});
