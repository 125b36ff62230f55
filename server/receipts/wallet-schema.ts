import { z } from "zod";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { AddressField } from "../kernel/values/fields";

export const WalletInput = z.strictObject({
  address: AddressField,
  cursor: z.string().max(64).optional(),
});
export type WalletInput = z.output<typeof WalletInput>;

/** What anyone may know about a transfer. Who held or cancelled a batch, and why, is for staff. */
export interface WalletTransfer {
  contractAddress: string;
  contractLabel: string;
  batchId: string;
  pointType: PointType;
  points: string;
  /** When its batch was created. The list is in this order. */
  createdAt: string;
  /** `DELAYED`: its batch is on hold or awaits approval. */
  state: "EXPECTED" | "DELAYED" | "RECEIVED" | "TAKEN_BACK";
  /** When it is due, was received or was taken back. Null while it is delayed. */
  at: string | null;
}

/** Points of a wallet in one point type, as decimal strings. */
export interface WalletPoints {
  received: string;
  /** Of batches that will be finalized when they are due. */
  expected: string;
  /** Of batches that are on hold or await approval. */
  delayed: string;
  /** Out of `received`. */
  takenBack: string;
}

export interface Wallet {
  address: string;
  points: Record<PointType, WalletPoints>;
  /** False when not every pending batch was read. All sums but `received` are then minimums. */
  isWhole: boolean;
  /** Newest first. A page may be short, even empty, and still have a cursor. */
  transfers: WalletTransfer[];
  cursor: string | null;
  /** Null when every batch is listed. Otherwise batches created after this time are not listed yet. */
  listedUntil: string | null;
  readAt: string;
}
