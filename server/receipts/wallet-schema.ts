import { z } from "zod";
import { AddressField } from "../kernel/values/fields";
import type { PointType } from "../kernel/values/point-types";

export const WalletInput = z.strictObject({
  address: AddressField,
  cursor: z.string().max(64).optional(),
});
export type WalletInput = z.output<typeof WalletInput>;

/** What anyone may know about a transfer. Who held or cancelled a batch, and why, is for staff. */
export interface WalletTransfer {
  contractAddress: string;
  batchId: string;
  pointType: PointType;
  points: string;
  state: "EXPECTED" | "RECEIVED" | "TAKEN_BACK";
  /** When it is due, was received or was taken back. Null while it is not known when it is due. */
  at: string | null;
}

/** Points of a wallet in one point type, as decimal strings. */
export interface WalletPoints {
  received: string;
  /** Of batches that are neither finalized nor cancelled. */
  expected: string;
  /** Out of `received`. */
  takenBack: string;
}

export interface Wallet {
  address: string;
  points: Record<PointType, WalletPoints>;
  /** Newest first. A page may be short, even empty, and still have a cursor. */
  transfers: WalletTransfer[];
  cursor: string | null;
  /** Null when every batch is listed. Otherwise batches created after this time are not listed yet. */
  listedUntil: string | null;
  readAt: string;
}
