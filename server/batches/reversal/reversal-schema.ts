import { z } from "zod";
import type { BatchLimits } from "../../kernel/batch-limits";
import { AwaitingApprovalField, CountField, DigestField } from "../../kernel/values/batch-schema";
import {
  AddressField,
  BatchIdField,
  PointsOut,
  PointTypeField,
  rule,
  SuccessField,
  TimestampOut,
} from "../../kernel/values/fields";
import { waitField } from "../submit/submit-schema";

const REASON_CHARS_MAX = 500;

const reversalFields = (limits: BatchLimits) => ({
  contractAddress: AddressField,
  batchId: BatchIdField.meta({ description: "ID of the FINALIZED batch to take back." }),
  toAddresses: z
    .array(AddressField)
    .min(1)
    .max(limits.transfersMax)
    .meta({ description: "Recipients whose transfers to take back. Absent: all of them." })
    .optional(),
  secondsToFinalize: waitField(limits, "reversal"),
  reason: z
    .string()
    .trim()
    .min(1)
    .max(REASON_CHARS_MAX)
    .refine((text) => !/[\0\p{Surrogate}]/u.test(text), rule("invalid_value", "cannot be stored"))
    .meta({
      description: "Why the points are taken back. Stored with the reversal.",
      pattern: "^[^\\x00]*[^\\x00\\s][^\\x00]*$",
    })
    .optional(),
});

const ReversalIdField = BatchIdField.meta({
  description:
    "Your own ID for the reversal, which makes the call safe to retry. Absent: the service generates one.",
});

export const reverseBatchInput = (limits: BatchLimits) =>
  z.strictObject({
    ...reversalFields(limits),
    reversalId: ReversalIdField.optional(),
    dryRun: z
      .boolean()
      .meta({ description: "`true` returns what the reversal would do, without storing anything." })
      .optional()
      .meta({ param: { in: "query" } }),
  });

/** The console always sends an ID, so that sending the form again is safe. */
export const consoleReverseInput = (limits: BatchLimits) =>
  z.strictObject({ ...reversalFields(limits), reversalId: ReversalIdField });

export type ReverseBatchInput = Omit<z.output<ReturnType<typeof reverseBatchInput>>, "dryRun">;

/** What a reversal would do if it were submitted now. */
export const ReversalDryRunReply = z
  .strictObject({
    success: SuccessField,
    dryRun: z.literal(true),
    batchId: BatchIdField.nullable().meta({
      description: "Your own ID of the reversal; null when the service generates it.",
    }),
    reverses: BatchIdField.meta({ description: "ID of the batch that it takes back." }),
    replayed: z.boolean().meta({
      description:
        "`true` when the same reversal is already stored under this ID, so that a call would change nothing.",
    }),
    pointType: PointTypeField,
    points: PointsOut.meta({ description: "Total to take back." }),
    transferCount: CountField,
    secondsToFinalize: z
      .int()
      .min(0)
      .max(31_536_000)
      .meta({ format: "int32", description: "Seconds until the reversal would be due." }),
    finalizeAt: TimestampOut.meta({
      description: "When the reversal would be due if it were submitted now.",
    }),
    digest: DigestField,
    awaitingApproval: AwaitingApprovalField,
  })
  .meta({ id: "ReversalDryRun" });
