import { z } from "zod";
import type { BatchLimits } from "@/terms/batch-limits";
import { AwaitingApprovalField, CountField, DigestField } from "@/terms/batch-schema";
import { ADDRESS_PATTERN, POINT_TYPES, POINTS_PATTERN, REFERENCE_PATTERN } from "@/terms/batch-terms";
import {
  AddressField,
  BatchIdField,
  MetadataField,
  objectOf,
  PointsOut,
  PointTypeField,
  replyOf,
  rule,
  SuccessField,
  TimestampOut,
  textField,
  wholeNumber,
} from "@/terms/fields";
import { FIELD_ERRORS_MAX } from "@/terms/problems";
import { type RowError, referenceRule, rowRules } from "@/terms/row-rules";

/** Checks every row even when others are malformed, so that one reply lists all errors. */
export function checkTransfers(payload: z.core.ParsePayload, limits: BatchLimits): void {
  const body = payload.value as { transfers?: unknown; pointType?: unknown; contractAddress?: unknown };
  if (!Array.isArray(body?.transfers) || body.transfers.length > limits.transfersMax) return;
  const report = ({ row, field, code, detail }: RowError<string>) =>
    payload.issues.push({
      code: "custom",
      path: ["transfers", row, field],
      input: undefined,
      message: detail,
      params: { code },
    });
  const { checkDestination, checkPoints } = rowRules({
    contractAddress: typeof body.contractAddress === "string" ? body.contractAddress : "",
    pointType: POINT_TYPES.find((type) => type === body.pointType),
    limits,
    report,
  });
  const checkReference = referenceRule(report);
  for (let row = 0; row < body.transfers.length; row++) {
    const { toAddress, points, reference } = (body.transfers[row] ?? {}) as Record<string, unknown>;
    if (typeof toAddress === "string") checkDestination(row, toAddress);
    if (typeof points === "string") checkPoints(row, points);
    if (typeof reference === "string") checkReference(row, reference);
  }
}

/** Maximum errors per row: both fields missing, two unknown ones in their place, and an invalid reference. */
const ERRORS_PER_ROW = 5;

/** How many field errors a reply lists. A dry run lists every error that a full batch can have. */
export const fieldErrorsMax = (input: { dryRun?: unknown }, limits: BatchLimits) =>
  FIELD_ERRORS_MAX + (input.dryRun === true ? ERRORS_PER_ROW * limits.transfersMax : 0);

const PAYOUT_PARTS_MAX = 100_000;

export const TransferField = objectOf("Transfer", {
  toAddress: z.string().meta({
    description:
      "Destination address. Not the contract itself, not the zero address, and unique within the batch. " +
      "A mixed-case address must match its EIP-55 checksum.",
    pattern: ADDRESS_PATTERN.source,
    maxLength: 42,
    examples: ["0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
  }),
  points: z.string().meta({
    description: "Amount of points, a decimal string. The description of the operation has the minimum.",
    pattern: POINTS_PATTERN.source,
    maxLength: 39,
    examples: ["10.5"],
  }),
  reference: z
    .string()
    .meta({ pattern: REFERENCE_PATTERN.source, maxLength: 64 })
    .nullish()
    .meta({
      description:
        "What the transfer pays for, such as an order or a season and a player: 1 to 64 printable ASCII " +
        "characters, without a space at either end. Paid once per contract, unless its batch is cancelled " +
        "or its transfer taken back.",
    }),
});

/** Seconds until a batch is due. Not `z.int()`: its error would keep the row rules from running. */
export const waitField = (
  { minimumFinalizeSeconds: min, defaultFinalizeSeconds: max }: BatchLimits,
  what: "batch" | "reversal",
) =>
  z
    .number()
    .refine(Number.isInteger, rule("invalid_type", "must be a whole number"))
    .min(min)
    .max(max)
    .meta({ type: "integer" })
    .nullish()
    .meta({
      description: `Seconds until the ${what} is due: an integer from ${min} to ${max}. Defaults to ${max}.`,
    });

const PayoutIdField = BatchIdField.meta({
  description:
    "Joins the batches of one payout, such as those of a list: all batches of the contract with the " +
    "same one. Not part of the content: a repeat keeps the first one.",
}).optional();

/**
 * With every rule of a batch that needs no database. `when` runs it even when other checks failed, so that
 * one reply lists all errors. The cast is needed because zod has no public constructor for such a check.
 */
function batchInput<Fields extends z.ZodRawShape>(limits: BatchLimits, fields: Fields) {
  const { transfersMax } = limits;
  const input = z.strictObject({
    contractAddress: AddressField,
    pointType: PointTypeField,
    transfers: z
      .array(TransferField)
      .min(1)
      .max(transfersMax)
      .meta({ description: `1 to ${transfersMax} transfers, one per destination.` }),
    secondsToFinalize: waitField(limits, "batch"),
    metadata: MetadataField.nullish(),
    ...fields,
  });
  const rules = {
    _zod: {
      check: (payload: z.core.ParsePayload) => checkTransfers(payload, limits),
      def: { check: "custom", when: () => true },
      onattach: [],
    },
  };
  return input.check(rules as unknown as z.core.$ZodCheck<z.output<typeof input>>);
}

const dryRunField = (what: "submit" | "reversal") =>
  z
    .boolean()
    .meta({
      description: `\`true\` returns what the ${what} would do, without storing anything.`,
      // Without it, some importers send the first value of a boolean, `true`.
      default: false,
    })
    .optional()
    .meta({ param: { in: "query" } });

/** As at Stripe, but no key expires. No quotes, unlike in draft-ietf-httpapi-idempotency-key-header. */
const IdempotencyKeyField = z
  .string()
  .refine(
    (value) => /^[ -~]{1,255}$/.test(value),
    rule("invalid_value", "must have 1 to 255 printable ASCII characters"),
  )
  .meta({
    description:
      "Makes the call safe to retry: the same key and content returns the original reply. " +
      "Keys belong to the contract and do not expire.",
    pattern: "^[ -~]+$",
    maxLength: 255,
    examples: ["payout-2026-01-31.001"],
  })
  .optional()
  .meta({ param: { in: "header" } });

export const submitBatchInput = (limits: BatchLimits) =>
  batchInput(limits, {
    payoutId: PayoutIdField,
    dryRun: dryRunField("submit"),
    "Idempotency-Key": IdempotencyKeyField,
  });
export const putBatchInput = (limits: BatchLimits) =>
  batchInput(limits, { payoutId: PayoutIdField, batchId: BatchIdField, dryRun: dryRunField("submit") });

const StoredText = z
  .string()
  .min(1)
  .max(4000)
  .refine((text) => !/[\0\p{Surrogate}]/u.test(text), rule("invalid_value", "cannot be stored"));

/** A batch's place in the file that the console splits. Not part of the batch's content or digest. */
const PayoutPartField = z
  .strictObject({
    /** The payout's. */
    id: BatchIdField,
    part: z.int().min(1).max(PAYOUT_PARTS_MAX),
    partCount: z.int().min(1).max(PAYOUT_PARTS_MAX),
    fileName: StoredText.max(255),
    /** Which of the file's columns are paid, and what was in doubt, a line each. */
    readAs: StoredText.optional(),
    /** The exact sum of the file, by which a dry run of a part says whether all would await approval. */
    points: z
      .string()
      .regex(/^[0-9]{1,40}(?:\.[0-9]{1,12})?$/)
      .optional(),
    /** The console's digest of the whole file, with which its rest is compared after an interruption. */
    digest: textField(1, 80).optional(),
  })
  .refine(({ part, partCount }) => part <= partCount, rule("out_of_range", "part must not exceed partCount"));

/** The console always sends an ID, so that a reopened page can retry safely. */
export const consoleSubmitInput = (limits: BatchLimits) =>
  batchInput(limits, {
    batchId: BatchIdField,
    payout: PayoutPartField.optional(),
    /** ID of the contract's cancelled batch that this one replaces. Not part of the digest either. */
    corrects: BatchIdField.optional(),
  });

export type SubmitBatchInput = Omit<
  z.output<ReturnType<typeof submitBatchInput>>,
  "dryRun" | "Idempotency-Key"
> & {
  batchId?: string;
  /** Whether the ID is made from an `Idempotency-Key`. */
  isKeyed?: boolean;
  /** A part of a file waits on hold until its whole payout is released. */
  payout?: z.output<typeof PayoutPartField> | undefined;
  corrects?: string | undefined;
};

export const SubmitBatchReply = replyOf("Submitted", {
  batchId: BatchIdField,
  replayed: z.boolean().meta({
    description:
      "`true` when it was already stored under this ID or key, and this call stored nothing. " +
      "The header `Idempotent-Replayed` says the same.",
  }),
});

const dryRunFields = (what: "batch" | "reversal") => ({
  success: SuccessField,
  dryRun: z.literal(true),
  batchId: BatchIdField.nullable().meta({
    description:
      `Your own ID${what === "batch" ? ", or the one of your `Idempotency-Key`" : ""}; ` +
      "null when the service generates it.",
  }),
  replayed: z.boolean().meta({
    description:
      `\`true\` when the same ${what} is already stored under this ID, ` +
      "so that a call would change nothing.",
  }),
  pointType: PointTypeField,
  points: PointsOut.meta({ description: "Total of the transfers." }),
  transferCount: CountField,
  secondsToFinalize: wholeNumber(0, 31_536_000, { description: `Seconds until the ${what} would be due.` }),
  finalizeAt: TimestampOut.meta({ description: `When the ${what} would be due if it were submitted now.` }),
  digest: DigestField,
});

export const DryRunReply = objectOf("DryRun", {
  ...dryRunFields("batch"),
  availableBefore: PointsOut.meta({ description: "Points that the contract has available now." }),
  availableAfter: PointsOut.meta({
    description: "Points that the contract would have available after the submit.",
  }),
  issued: PointsOut.meta({
    description: "Points that would be issued on demand, because the contract lacks them.",
  }),
  awaitingApproval: AwaitingApprovalField,
  sameTransfersAs: BatchIdField.optional().meta({
    description:
      "Another batch of the contract, not CANCELLED, that has the same transfers in any order, " +
      "unless each has references of its own. The submit would pay them again.",
  }),
});

const reversalFields = (limits: BatchLimits) => ({
  contractAddress: AddressField,
  batchId: BatchIdField.meta({ description: "ID of the FINALIZED batch to take back." }),
  toAddresses: z
    .array(AddressField)
    .min(1)
    .max(limits.transfersMax)
    .meta({ description: "Recipients whose transfers to take back. All of them when absent." })
    .optional(),
  secondsToFinalize: waitField(limits, "reversal"),
  reason: textField(1, 500)
    .meta({
      description: "Why the points are taken back. Stored with the reversal.",
      pattern: "^[^\\x00]*[^\\x00\\s][^\\x00]*$",
    })
    .optional(),
});

const ReversalIdField = BatchIdField.meta({
  description:
    "Your own ID for the reversal, which makes the call safe to retry. " +
    "The service generates one when absent.",
});

export const reverseBatchInput = (limits: BatchLimits) =>
  z.strictObject({
    ...reversalFields(limits),
    reversalId: ReversalIdField.optional(),
    dryRun: dryRunField("reversal"),
  });

/** The console always sends an ID, so that sending the form again is safe. */
export const consoleReverseInput = (limits: BatchLimits) =>
  z.strictObject({ ...reversalFields(limits), reversalId: ReversalIdField });

export type ReverseBatchInput = Omit<z.output<ReturnType<typeof reverseBatchInput>>, "dryRun">;

export const ReversalDryRunReply = objectOf("ReversalDryRun", {
  ...dryRunFields("reversal"),
  reverses: BatchIdField.meta({ description: "ID of the batch that it takes back." }),
  awaitingApproval: AwaitingApprovalField,
});
