import { z } from "zod";
import { METADATA_FILTER_KEYS_MAX } from "./batch-terms";
import {
  AddressField,
  AddressOut,
  BatchIdField,
  countField,
  MetadataField,
  MetadataFilter,
  objectOf,
  PointsOut,
  PointTypeField,
  ReferenceField,
  replyOf,
  StatusField,
  TimestampField,
  TimestampOut,
  wholeNumber,
} from "./fields";

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 200;
/** How many transfers with the same reference are listed. */
export const PAYMENTS_MAX = 100;

export const DigestField = z.string().meta({
  description: "SHA-256 of the batch's canonical text: 64 hex digits.",
  pattern: "^[0-9a-f]{64}$",
  maxLength: 64,
});

export const CountField = wholeNumber(1, 10_000, { description: "Number of transfers in the batch." });

const batchFields = {
  id: BatchIdField,
  contractAddress: AddressOut.meta({ description: "Contract that submitted the batch." }),
  pointType: PointTypeField,
  createdAt: TimestampOut.meta({ description: "When the batch was created." }),
  finalizeAt: TimestampOut.meta({ description: "When the batch is due to be finalized. Never changes." }),
  updatedAt: TimestampOut.nullable().meta({
    description: "When the status last changed; null if it never has.",
  }),
  status: StatusField,
  points: PointsOut.meta({ description: "Total of all transfers, in shortest exact form." }),
  transferCount: CountField,
  reverses: BatchIdField.optional().meta({
    description:
      "On a reversal: the ID of the batch that it takes back. " +
      "Its transfers go from their recipients to the contract.",
  }),
  metadata: MetadataField.optional(),
};
/** The shape of a batch in the API. Database rows and the console's batches derive from it. */
export const BatchOut = z.strictObject(batchFields).meta({ id: "Batch" });
export type BatchOut = z.output<typeof BatchOut>;

export const CursorField = z.string().meta({
  pattern: "^[0-9a-z.]{1,64}$",
  maxLength: 64,
  examples: ["1mgz3k0w0.2s.1q2w3e4r5t6y7.0a1b2c3d4e5f6"],
});

export const createdField = (side: "before" | "after", what = "batches created") =>
  TimestampField.meta({
    description: `Only ${what} ${side} this time, not at it. ${TimestampField.description}`,
  });

export const ListBatchesInput = z.strictObject({
  contractAddress: AddressField,
  pointType: PointTypeField.meta({ description: "Only batches of this point type." }).optional(),
  status: StatusField.meta({ description: "Only batches with this status." }).optional(),
  metadata: MetadataFilter.meta({
    description:
      "Only batches with all of these, such as `metadata[campaign]=summer`. " +
      `At most ${METADATA_FILTER_KEYS_MAX} keys.`,
  }).optional(),
  include: z
    .literal("metadata")
    .meta({ description: "`metadata` also returns the metadata of each batch that has any." })
    .optional(),
  createdBefore: createdField("before").optional(),
  createdAfter: createdField("after").optional(),
  sort: z
    .enum(["ASC", "DESC"])
    .meta({
      description: "Order by creation time: `ASC` for oldest first, `DESC` for newest first.",
      default: "DESC",
    })
    .optional(),
  limit: wholeNumber(1, LIST_LIMIT_MAX, {
    description: "Maximum number of batches per page.",
    default: LIST_LIMIT_DEFAULT,
  }).optional(),
  cursor: CursorField.meta({
    description: "Cursor from the previous reply. The contract, filters and sort must be the same.",
  }).optional(),
});

export const ListBatchesReply = replyOf("BatchPage", {
  batch: z
    .array(BatchOut)
    .meta({ description: "Batches of the page, in the requested order.", maxItems: LIST_LIMIT_MAX }),
  cursor: CursorField.nullable().meta({
    description:
      "Cursor for the next page; null on the last page. " +
      "A page may be empty: continue while this is not null.",
  }),
});

export const CancelBatchReply = replyOf("Cancelled", { batchId: BatchIdField });

export const ContractInput = z.strictObject({ contractAddress: AddressField });
export const BatchKeyInput = ContractInput.extend({ batchId: BatchIdField });
export type BatchKey = z.output<typeof BatchKeyInput>;

/** Only ever true, so that replies about other batches are as they were before approvals. */
export const AwaitingApprovalField = z
  .literal(true)
  .optional()
  .meta({
    description:
      "Present while the batch awaits approval by the service's staff. " +
      "Until then it is not finalized, even if it is due.",
  });

export const PayoutCountsOut = objectOf("PayoutCounts", {
  pending: countField("PENDING batches, including those on hold or awaiting approval."),
  onHold: countField("PENDING batches that are on hold."),
  awaitingApproval: countField("PENDING batches that await approval. A batch can be on hold as well."),
  finalizing: countField("FINALIZING batches."),
  finalized: countField("FINALIZED batches."),
  cancelled: countField("CANCELLED batches."),
});
/** How many batches of a payout are in each state. */
export type PayoutCounts = z.output<typeof PayoutCountsOut>;

const ReversalOut = objectOf("ReversalOfBatch", {
  id: BatchIdField.meta({ description: "ID of the reversal." }),
  status: StatusField.meta({
    description:
      "Its status, never CANCELLED. " +
      "Until it is FINALIZED, the recipients have the points reserved, not given up.",
  }),
  finalizeAt: batchFields.finalizeAt,
  updatedAt: batchFields.updatedAt,
  points: PointsOut.meta({ description: "Points that it takes back, in shortest exact form." }),
  awaitingApproval: AwaitingApprovalField,
});

const BatchWithTransfers = objectOf("BatchWithTransfers", {
  ...batchFields,
  awaitingApproval: AwaitingApprovalField,
  reversedBy: z
    .array(BatchIdField)
    .min(1)
    .max(10_000)
    .optional()
    .meta({
      description:
        "IDs of the reversals that have taken back transfers of the batch, or will if they are not " +
        "cancelled, oldest first. `reversals` has their status. Absent when there are none.",
    }),
  reversals: z
    .array(ReversalOut)
    .min(1)
    .max(10_000)
    .optional()
    .meta({
      description:
        "The reversals in `reversedBy`, in the same order. " +
        "Only those that are FINALIZED have taken points back. Absent when there are none.",
    }),
  payoutId: BatchIdField.meta({
    description: "ID of the payout that the batch was submitted with. Absent when there is none.",
  }).optional(),
  digest: DigestField,
  transfers: z
    .array(
      objectOf("StoredTransfer", {
        toAddress: AddressOut,
        points: PointsOut.meta({ description: "Amount, in shortest exact form." }),
        reference: ReferenceField.optional(),
      }),
    )
    .meta({ description: "All transfers, in the order sent.", maxItems: 10_000 }),
});

export const GetBatchReply = replyOf("OneBatch", { batch: BatchWithTransfers });

export const ListPaymentsInput = ContractInput.extend({ reference: ReferenceField });

export const ListPaymentsReply = replyOf("PaymentsOfReference", {
  transfers: z
    .array(
      objectOf("PaymentOfReference", {
        batchId: BatchIdField,
        position: wholeNumber(0, 9999, {
          description: "Position of the transfer in the batch as sent, from 0.",
        }),
        toAddress: AddressOut.meta({ description: "Recipient." }),
        pointType: PointTypeField,
        points: PointsOut.meta({ description: "Amount, in shortest exact form." }),
        status: StatusField.meta({ description: "Status of the batch." }),
        takenBack: z.literal(true).optional().meta({
          description: "Present when a FINALIZED reversal has taken the transfer back.",
        }),
      }),
    )
    .meta({
      description: "Newest first. At most one is neither in a CANCELLED batch nor taken back.",
      maxItems: PAYMENTS_MAX,
    }),
});
export type PaymentOfReference = z.output<typeof ListPaymentsReply>["transfers"][number];
