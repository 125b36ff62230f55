import { z } from "zod";
import type { BatchOut } from "../kernel/values/batch-schema";
import { AddressField } from "../kernel/values/fields";
import type { PointType } from "../kernel/values/point-types";

const PAGE_MAX = 200;
/** Transfer counts stop here and are shown as "10,000+". */
export const COUNT_MAX = 10_000;

export const RecipientInput = z.strictObject({ address: AddressField });

export const ListReceivedInput = RecipientInput.extend({
  limit: z.int().min(1).max(PAGE_MAX).optional(),
  cursor: z.string().max(64).nullish(),
});
export type ListReceivedInput = z.output<typeof ListReceivedInput>;

/** An address's received and pending points in one point type, as decimal strings. */
export interface ReceivedPoints {
  /** Total from finalized batches. */
  received: string;
  /** From PENDING and FINALIZING batches. Credited unless they are cancelled. */
  waiting: string;
  waitingTransfers: number;
  /** When the next of them is due, without batches on hold. */
  nextDueAt: string | null;
}

export interface ConsoleRecipient {
  address: string;
  /** Set if the address is also a registered contract. */
  contractLabel: string | null;
  points: Record<PointType, ReceivedPoints>;
  /** Counts up to `countMax` + 1. */
  transferCount: number;
  countMax: number;
  /** Creation times of the first and latest transfer. */
  firstAt: string | null;
  latestAt: string | null;
  /** Null when every batch is included. Otherwise only `received` includes batches created after this time. */
  indexedUntil: string | null;
  now: string;
}

/** A transfer with what its batch says. `points` is its own. */
export interface ReceivedTransfer
  extends Pick<BatchOut, "contractAddress" | "pointType" | "status" | "points" | "createdAt" | "finalizeAt"> {
  contractLabel: string;
  batchId: string;
  /** When its batch was put on hold. Null when it is not on hold. */
  heldAt: string | null;
  /** Sum of finalized credits up to and including this row, by creation time. Null while some batches are not included. */
  running: Record<PointType, string> | null;
}

export interface ReceivedPage {
  transfers: ReceivedTransfer[];
  cursor: string | null;
  indexedUntil: string | null;
  now: string;
}
