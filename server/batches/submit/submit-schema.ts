import { z } from "zod";
import type { BatchLimits } from "../../kernel/batch-limits";
import { CountField, DigestField } from "../../kernel/values/batch-schema";
import {
  AddressField,
  BatchIdField,
  PointsOut,
  PointTypeField,
  rule,
  SuccessField,
  TimestampOut,
} from "../../kernel/values/fields";
import { checkTransfers } from "./transfer-rules";

export const TransferField = z
  .strictObject({
    toAddress: z.string().meta({
      description:
        "Destination address: not the contract itself, not the zero address, once a batch. A mixed-case one must satisfy its EIP-55 checksum.",
      pattern: "^0x[0-9a-fA-F]{40}$",
      maxLength: 42,
      examples: ["0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
    }),
    points: z.string().meta({
      description: "Amount of points, a decimal string. The least amount stands with the operation.",
      pattern: "^(0|[1-9][0-9]{0,25})(\\.[0-9]{1,12})?$",
      maxLength: 39,
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
      .meta({ type: "integer", format: "int32" })
      .nullish()
      .meta({
        description: `Seconds to wait before finalizing, a whole number: ${least} to ${most}; ${most} when absent or null.`,
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

const DryRunField = z
  .boolean()
  .meta({ description: "`true` answers what the submit would do, and stores nothing." })
  .optional()
  .meta({ param: { in: "query" } });

export const submitBatchInput = (limits: BatchLimits) =>
  z.strictObject({ ...submitFields(limits), dryRun: DryRunField }).check(transferRules(limits));
export const putBatchInput = (limits: BatchLimits) =>
  z
    .strictObject({ ...submitFields(limits), batchId: BatchIdField, dryRun: DryRunField })
    .check(transferRules(limits));
/** The console's: always under an id, so that a page that was left can send again. */
export const consoleSubmitInput = (limits: BatchLimits) =>
  z.strictObject({ ...submitFields(limits), batchId: BatchIdField }).check(transferRules(limits));

export type SubmitBatchInput = Omit<z.output<ReturnType<typeof submitBatchInput>>, "dryRun"> & {
  batchId?: string;
};

export const SubmitBatchReply = z
  .strictObject({ success: SuccessField, batchId: BatchIdField })
  .meta({ id: "Submitted" });

/** What a submit would do, as things stand. */
export const DryRunReply = z
  .strictObject({
    success: SuccessField,
    dryRun: z.literal(true),
    batchId: BatchIdField.nullable().meta({
      description: "The caller's id; null when the service makes it.",
    }),
    replayed: z.boolean().meta({
      description: "The same batch is stored under this id already: the submit would change nothing.",
    }),
    pointType: PointTypeField,
    points: PointsOut.meta({ description: "Total of the batch." }),
    transferCount: CountField,
    secondsToFinalize: z
      .int()
      .min(0)
      .max(31_536_000)
      .meta({ format: "int32", description: "The wait, seconds." }),
    finalizeAt: TimestampOut.meta({ description: "When it would be due, if it were submitted now." }),
    digest: DigestField,
    availableBefore: PointsOut.meta({ description: "Available points of the contract now." }),
    availableAfter: PointsOut.meta({ description: "What would be available after the submit." }),
    issued: PointsOut.meta({ description: "What the contract would be issued, because it lacks it." }),
  })
  .meta({ id: "DryRun" });
