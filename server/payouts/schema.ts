import { z } from "zod";
import { BatchOut, ContractInput, PayoutCountsOut } from "@/terms/batch-schema";
import { POINT_TYPES } from "@/terms/batch-terms";
import {
  AddressOut,
  BatchIdField,
  countField,
  objectOf,
  PointsOut,
  PointTypeField,
  replyOf,
  TimestampOut,
} from "@/terms/fields";

export const PayoutKeyInput = ContractInput.extend({
  payoutId: BatchIdField.meta({ description: "ID of the payout, as its batches were submitted with it." }),
});
export type PayoutKey = z.output<typeof PayoutKeyInput>;

const SUM_PATTERN = /^\d{1,60}(?:\.\d{1,12})?$/;
const WaitingParts = z.strictObject({
  batches: z.int().min(0).max(1_000_000),
  points: z.string().regex(SUM_PATTERN),
});
/** What waits for the release of a file: how many batches, and their exact sum. */
export type WaitingParts = z.output<typeof WaitingParts>;
export const ReleasePayoutInput = PayoutKeyInput.extend({ seen: WaitingParts });
export type ReleasePayoutInput = z.output<typeof ReleasePayoutInput>;

/** How many batches of a payout are returned. The counts and sums are of all of them. */
export const PAYOUT_PARTS_SHOWN_MAX = 1000;
export const NOT_PAID_SHOWN_MAX = 100;
export const CANCELLED_AT_ONCE_MAX = 10_000;

const AmountsOut = objectOf("PayoutAmounts", {
  pointType: PointTypeField,
  points: PointsOut.meta({
    description: "Points that are or will be paid: `pending`, `finalizing` and `paid` together.",
  }),
  paid: PointsOut.meta({
    description: "Points that the recipients have been paid: `finalized`, less `takenBack`.",
  }),
  notPaid: PointsOut.meta({
    description: "Points of CANCELLED transfers that no batch submitted afterwards replaces.",
  }),
  pending: PointsOut.meta({ description: "Points of PENDING batches." }),
  finalizing: PointsOut.meta({ description: "Points of FINALIZING batches." }),
  finalized: PointsOut.meta({ description: "Points of FINALIZED batches." }),
  cancelled: PointsOut.meta({ description: "Points of CANCELLED batches, also of those that are replaced." }),
  takenBack: PointsOut.meta({ description: "Points that FINALIZED reversals have taken back." }),
  takingBack: PointsOut.meta({
    description: "Points that reversals which are not FINALIZED will take back.",
  }),
});

const PayoutOut = objectOf("Payout", {
  id: BatchIdField.meta({ description: "ID of the payout, unique within its contract." }),
  contractAddress: AddressOut.meta({ description: "Contract that submitted the batches." }),
  status: z.enum(["PENDING", "FINALIZED", "PARTLY_CANCELLED", "CANCELLED"]).meta({
    description:
      "`PENDING` while a batch is PENDING or FINALIZING; then `CANCELLED` if all are, `PARTLY_CANCELLED` " +
      "if something cancelled is `notPaid`, and `FINALIZED` otherwise. A batch submitted later counts too.",
  }),
  batchCount: countField("Number of batches, including CANCELLED ones."),
  transferCount: countField("Number of transfers that are or will be paid."),
  counts: PayoutCountsOut,
  amounts: z
    .array(AmountsOut)
    .min(1)
    .max(POINT_TYPES.length)
    .meta({ description: "Exact sums, one entry per point type that the batches have." }),
  notPaid: z
    .array(
      objectOf("PayoutNotPaid", {
        batchId: BatchIdField.meta({ description: "ID of a CANCELLED batch." }),
        transferCount: countField("Number of its transfers that nothing replaces."),
        points: PointsOut.meta({ description: "Their points." }),
      }),
    )
    .meta({
      description: `What was cancelled and is not paid otherwise: the first ${NOT_PAID_SHOWN_MAX} batches.`,
      maxItems: NOT_PAID_SHOWN_MAX,
    }),
  firstDueAt: TimestampOut.nullable().meta({
    description: "When the first batch that is not CANCELLED is or was due; null if all are CANCELLED.",
  }),
  lastDueAt: TimestampOut.nullable().meta({ description: "The same for the last one." }),
  lastFinalizedAt: TimestampOut.nullable().meta({
    description: "When the last batch so far was finalized; null if none was.",
  }),
  parts: z.array(BatchOut).meta({
    description:
      `The first ${PAYOUT_PARTS_SHOWN_MAX} batches, in the order in which they were stored, or of the rows ` +
      "that the service's staff submitted.",
    maxItems: PAYOUT_PARTS_SHOWN_MAX,
  }),
});

export const GetPayoutReply = replyOf("OnePayout", { payout: PayoutOut });

export const CancelPayoutReply = replyOf("CancelledPayout", {
  payoutId: BatchIdField.meta({ description: "ID of the payout." }),
  cancelled: countField(`Number of batches that this call cancelled, at most ${CANCELLED_AT_ONCE_MAX}.`),
  left: countField("Number of batches that are still PENDING. Repeat the call until it is 0."),
  detail: z.string().optional().meta({ description: "What to do about the batches that are left." }),
  counts: PayoutCountsOut.meta({ description: "All batches of the payout afterwards." }),
});

export type PayoutAmounts = z.output<typeof AmountsOut>;

/** A payout of the console or of `/v1`. */
export interface Payout extends Omit<z.output<typeof PayoutOut>, "batchCount" | "parts"> {
  /** Batches stored, cancelled ones included. */
  stored: number;
}

/** Where a payout comes from. */
export interface PayoutSource {
  /** The file's name, and how many batches it has; null for payouts of `/v1`. */
  fileName: string | null;
  /** Which columns of the file were paid, and what was in doubt, a line each. Parts can differ. */
  readAs: string | null;
  partCount: number | null;
  /** How many different parts of the file are stored. */
  storedParts: number;
  submittedBy: string[];
  firstSubmittedAt: string;
  waiting: WaitingParts;
  /** Those of them that the release pays immediately. */
  waitingDue: WaitingParts;
  /** Batches that a person put on hold while they wait, so that the release leaves them on hold. */
  heldApart: number;
}
