import { z } from "zod";
import {
  CURSOR_CHARS_MAX,
  type ReceivedPoints,
  type ReceivedTransfer,
  RecipientInput,
} from "@/server/recipients/schema";
import { BatchKeyInput, CountField } from "@/terms/batch-schema";
import type { PointType } from "@/terms/batch-terms";
import {
  AddressField,
  AddressOut,
  BatchIdField,
  objectOf,
  PointsOut,
  PointTypeField,
  ReferenceField,
  replyOf,
  wholeNumber,
} from "@/terms/fields";

const HashOut = z.string().meta({
  description: "Keccak-256 hash: `0x` followed by 64 hex digits.",
  pattern: "^0x[0-9a-f]{64}$",
  maxLength: 66,
});
const RootOut = HashOut.meta({
  description:
    "Merkle root of the batch, in the format of OpenZeppelin's `StandardMerkleTree`. Never changes.",
});

export const ReceiptInput = BatchKeyInput.extend({ address: AddressField });
export type ReceiptInput = z.output<typeof ReceiptInput>;

/** An address, a batch ID, a point type or a whole number. */
const LEAF_VALUE_PATTERN = /^[A-Za-z0-9._:~-]+$/;

/** docs/verify.md explains how to check a receipt. */
const ReceiptOut = objectOf("Receipt", {
  contractAddress: AddressOut.meta({ description: "Contract that sent the points." }),
  batchId: BatchIdField,
  pointType: PointTypeField,
  position: wholeNumber(0, 9999, { description: "Position of the transfer in the batch as sent, from 0." }),
  toAddress: AddressOut.meta({ description: "Recipient." }),
  points: PointsOut.meta({ description: "Amount, in shortest exact form." }),
  reference: ReferenceField.optional(),
  leaf: z
    .array(z.string().max(78).regex(LEAF_VALUE_PATTERN))
    .length(6)
    .meta({
      description:
        "Values of the leaf, encoded as `address, string, string, uint256, address, uint256`: contract, " +
        "batch ID, point type, position, recipient, and the amount × 10^12 as an integer.",
    }),
  proof: z.array(HashOut).max(14).meta({
    description: "Sibling hashes from the leaf to the root. Empty if the batch has one transfer.",
  }),
  root: RootOut,
});
export type ReceiptOut = z.output<typeof ReceiptOut>;

export const GetReceiptReply = replyOf("OneReceipt", { receipt: ReceiptOut });

export const GetRootReply = replyOf("BatchRoot", {
  root: RootOut,
  leaves: CountField.meta({ description: "Number of leaves: one per transfer of the batch." }),
});

export const WalletInput = RecipientInput.extend({ cursor: z.string().max(CURSOR_CHARS_MAX).optional() });
export type WalletInput = z.output<typeof WalletInput>;

/** What anyone may know about a transfer. Who held or cancelled a batch, and why, is for staff. */
export interface WalletTransfer
  extends Pick<
    ReceivedTransfer,
    "contractAddress" | "contractLabel" | "batchId" | "pointType" | "points" | "creditedAt"
  > {
  /** `DELAYED`: its batch is on hold or awaits approval. */
  state: "EXPECTED" | "DELAYED" | "RECEIVED" | "TAKEN_BACK";
  /** When it is due or was taken back. Null while it is delayed, and once it is received. */
  at: string | null;
}

export interface Wallet {
  address: string;
  /** Its balance then does not have what it was issued and has sent, which is not for everyone. */
  isContract: boolean;
  points: Record<PointType, ReceivedPoints>;
  /** False when not every pending batch was read. What is about to change is then a minimum. */
  isWhole: boolean;
  /** Pending ones first, then the latest credit. A page may be short, even empty, and still have a cursor. */
  transfers: WalletTransfer[];
  cursor: string | null;
  /** Null when every batch is listed. Otherwise batches created after this time are not listed yet. */
  listedUntil: string | null;
  readAt: string;
}
