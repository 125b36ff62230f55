import { z } from "zod";
import {
  AddressField,
  BatchIdField,
  PointsOut,
  PointTypeField,
  rule,
  StatusField,
  TimestampField,
  TimestampOut,
} from "../fields";
import type { BatchLimits } from "./limits";
import { checkTransfers } from "./transfer-rules";

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 200;

export const TransferField = z
  .strictObject({
    toAddress: z.string().meta({ description: "Destination address.", pattern: "^0x[0-9a-fA-F]{40}$" }),
    points: z.string().meta({
      description: "Amount of points, a decimal string.",
      pattern: "^(0|[1-9][0-9]{0,25})(\\.[0-9]{1,12})?$",
      examples: ["10.5"],
    }),
  })
  .meta({ id: "Transfer" });

function submitFields(limits: BatchLimits) {
  const { minimumFinalizeSeconds: least, defaultFinalizeSeconds: most, transfersMax } = limits;
  return {
    contractAddress: AddressField,
    pointType: PointTypeField,
    transfers: z
      .array(TransferField)
      .min(1)
      .max(transfersMax)
      .meta({ description: `1 to ${transfersMax} transfers, one per destination.` }),
    // Not `z.int()`: its fault would keep the row rules from running, and so hide what else is wrong.
    secondsToFinalize: z
      .number()
      .refine(Number.isInteger, rule("invalid_type", "must be a whole number"))
      .min(least)
      .max(most)
      .nullish()
      .meta({
        description: `Seconds to wait before finalizing: ${least} to ${most}; ${most} when absent or null.`,
      }),
  };
}

/**
 * Every rule of a batch that needs no database. `when` keeps it running beside other faults, so that all are named at
 * once; zod has no public maker for such a check, hence the cast.
 */
function transferRules<Body>(limits: BatchLimits): z.core.$ZodCheck<Body> {
  const check = {
    _zod: {
      check: (payload: z.core.ParsePayload) => checkTransfers(payload, limits),
      def: { check: "custom", when: () => true },
      onattach: [],
    },
  };
  return check as unknown as z.core.$ZodCheck<Body>;
}

const DigestField = z
  .string()
  .meta({ description: "SHA-256 of the batch's canonical text, 64 hex digits.", pattern: "^[0-9a-f]{64}$" });

const DryRunField = z
  .boolean()
  .optional()
  .meta({
    description: "`true` answers what the submit would do, and stores nothing.",
    param: { in: "query" },
  });

export const submitBatchInput = (limits: BatchLimits) =>
  z.strictObject({ ...submitFields(limits), dryRun: DryRunField }).check(transferRules(limits));
export const putBatchInput = (limits: BatchLimits) =>
  z
    .strictObject({ ...submitFields(limits), batchId: BatchIdField, dryRun: DryRunField })
    .check(transferRules(limits));

export type SubmitBatchInput = Omit<z.output<ReturnType<typeof submitBatchInput>>, "dryRun"> & {
  batchId?: string;
};

export const SubmitBatchReply = z.strictObject({ success: z.literal(true), batchId: BatchIdField });

/** What a submit would do, as things stand. */
export const DryRunReply = z
  .strictObject({
    success: z.literal(true),
    dryRun: z.literal(true),
    batchId: BatchIdField.nullable().meta({
      description: "The caller's id; null when the service makes it.",
    }),
    replayed: z.boolean().meta({
      description: "The same batch is stored under this id already: the submit would change nothing.",
    }),
    pointType: PointTypeField,
    points: PointsOut.meta({ description: "Total of the batch." }),
    transferCount: z.int().min(1),
    secondsToFinalize: z.int().min(0),
    finalizeAt: TimestampOut.meta({ description: "When it would be due, if it were submitted now." }),
    digest: DigestField,
    availableBefore: PointsOut,
    availableAfter: PointsOut,
    issued: PointsOut.meta({ description: "What the contract would be issued, because it lacks it." }),
  })
  .meta({ id: "DryRun" });

/** The nine documented fields of a batch (interface.md, section 2). */
const batchFields = {
  id: z.string(),
  contractAddress: z.string(),
  pointType: PointTypeField,
  createdAt: TimestampOut,
  finalizeAt: TimestampOut,
  updatedAt: TimestampOut.nullable(),
  status: StatusField,
  points: PointsOut,
  transferCount: z.int(),
};
export const BatchOut = z.strictObject(batchFields).meta({ id: "Batch" });

export const ListBatchesInput = z.strictObject({
  contractAddress: AddressField,
  pointType: PointTypeField.optional(),
  status: StatusField.optional(),
  createdBefore: TimestampField.optional(),
  createdAfter: TimestampField.optional(),
  sort: z.enum(["ASC", "DESC"]).optional().meta({ description: "By creation; DESC when absent." }),
  limit: z
    .int()
    .min(1)
    .max(LIST_LIMIT_MAX)
    .optional()
    .meta({ description: `Batches a page, ${LIST_LIMIT_DEFAULT} when absent.` }),
  cursor: z.string().optional().meta({ description: "Cursor of the previous reply." }),
});

export const ListBatchesReply = z.strictObject({
  success: z.literal(true),
  batch: z.array(BatchOut),
  cursor: z.string().nullable(),
});

export const BatchKeyInput = z.strictObject({ contractAddress: AddressField, batchId: BatchIdField });

export const GetBatchReply = z.strictObject({
  success: z.literal(true),
  batch: z.strictObject({
    ...batchFields,
    digest: DigestField,
    transfers: z.array(z.strictObject({ toAddress: z.string(), points: PointsOut })),
  }),
});

export type BatchOut = z.output<typeof BatchOut>;
