import { z } from "zod";
import { BatchKeyInput, type BatchOut, LIST_LIMIT_MAX } from "../../kernel/values/batch-schema";
import {
  AddressField,
  BatchIdField,
  PointTypeField,
  rule,
  StatusField,
  TimestampField,
} from "../../kernel/values/fields";
import { isPoints } from "../../kernel/values/points";

/** Counts are capped here and shown as "10,000+". */
export const COUNT_MAX = 10_000;

/** Maximum number of batches per refresh. */
const REFRESH_KEYS_MAX = 100;

/** The filters of the console's batch list, all ANDed. The console keeps them in the URL. */
export const BatchFilters = z.strictObject({
  contractAddress: AddressField.optional(),
  statuses: z.array(StatusField).max(4).optional(),
  /** Only overdue batches: pending ones that are not on hold, and claimed ones. */
  overdue: z.boolean().optional(),
  /** Only batches on hold. */
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
  message: "DUE is only available with `overdue`, since no index supports it for other lists",
});
export type ConsoleListInput = z.output<typeof ConsoleListInput>;

/** A batch as staff see it: as callers do, and more. */
export interface ConsoleBatch extends BatchOut {
  contractLabel: string;
  /** `token:<name>`, `operator:<address>`, `staff:<email>` or `ops`. */
  submittedBy: string;
  /** When it was put on hold; null if it is not on hold. */
  heldAt: string | null;
}

export interface ConsoleBatchPage {
  batches: ConsoleBatch[];
  cursor: string | null;
  /** The database's clock, for countdowns and "overdue". */
  now: string;
}

/** Capped counts under the given filters. The counts of a group ignore the group's own filter. */
export interface BatchFacets {
  statuses: Record<ConsoleBatch["status"], number>;
  pointTypes: Record<ConsoleBatch["pointType"], number>;
  overdue: number;
  held: number;
  countMax: number;
  /** False if only the newest transfers of a busy recipient were counted; the counts are then minimums. */
  isWhole: boolean;
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
  /** Who put it on hold and why; null if it is not on hold. */
  hold: { by: string; reason: string } | null;
  /** While FINALIZING: when the finalizer's lease expires and another finalizer may take over. */
  leaseUntil: string | null;
  now: string;
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

export interface ConsoleRefresh {
  /** The batches found, in no particular order. */
  batches: ConsoleBatch[];
  /** The database's clock; null if no batch was found. */
  now: string | null;
}

export interface ConsoleTransfer {
  position: number;
  toAddress: string;
  points: string;
}

/** A decision about a batch by a team member, with the reason. */
export const ConsoleDecisionInput = BatchKeyInput.extend({
  reason: z
    .string()
    .trim()
    .min(3)
    .max(500)
    .refine(
      (value) => !/[\0\p{Surrogate}]/u.test(value),
      rule("invalid_value", "contains a character that cannot be stored"),
    ),
});
