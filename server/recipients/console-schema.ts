import { z } from "zod";
import { AddressField } from "../kernel/values/fields";
import type { PointType } from "../kernel/values/point-types";

const PAGE_MAX = 200;
/** Counts of transfers stop here: "10,000+". */
export const COUNT_MAX = 10_000;

export const RecipientInput = z.strictObject({ address: AddressField });

export const ListReceivedInput = RecipientInput.extend({
  limit: z.int().min(1).max(PAGE_MAX).optional(),
  cursor: z.string().max(64).nullish(),
});
export type ListReceivedInput = z.output<typeof ListReceivedInput>;

/** What an address got and will get in one point type, decimal strings. */
export interface ReceivedPoints {
  /** Of finalized batches: all that it ever got. */
  received: string;
  /** Of batches that are PENDING or FINALIZING: what it gets unless they are cancelled. */
  waiting: string;
  waitingTransfers: number;
  /** When the next of them is due that nobody holds. */
  nextDueAt: string | null;
}

export interface ConsoleRecipient {
  address: string;
  /** Set when the address is a registered contract too. */
  contractLabel: string | null;
  points: Record<PointType, ReceivedPoints>;
  /** Counted up to one more than `countMax`. */
  transferCount: number;
  countMax: number;
  /** Creation of its first and its latest transfer. */
  firstAt: string | null;
  latestAt: string | null;
  /** Null when every batch is counted in; else batches created after this instant are not yet, but for `received`. */
  indexedUntil: string | null;
  now: string;
}

export interface ReceivedTransfer {
  contractAddress: string;
  contractLabel: string;
  batchId: string;
  pointType: PointType;
  status: "PENDING" | "CANCELLED" | "FINALIZING" | "FINALIZED";
  points: string;
  createdAt: string;
  finalizeAt: string;
  /** Since when staff hold its batch; null when they do not. */
  heldAt: string | null;
  /** All finalized credits up to and with this row, in order of creation; null while batches are not counted in yet. */
  running: Record<PointType, string> | null;
}

export interface ReceivedPage {
  transfers: ReceivedTransfer[];
  cursor: string | null;
  indexedUntil: string | null;
  now: string;
}
