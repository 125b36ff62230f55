import { z } from "zod";
import { BatchFiltersInput } from "@/server/batches/list/console-schema";
import type { BatchOutcome } from "@/server/batches/list/listed-rows";
import type { ReversalState } from "@/server/kernel/batch-rows";
import { type BatchOut, LIST_LIMIT_MAX } from "@/terms/batch-schema";
import type { PointType } from "@/terms/batch-terms";
import { AddressField, LabelField, TimestampField } from "@/terms/fields";

export const CURSOR_CHARS_MAX = 128;

export const RecipientInput = z.strictObject({ address: AddressField });

export const SetLabelInput = RecipientInput.extend({ label: LabelField.nullable() });
export type SetLabelInput = z.output<typeof SetLabelInput>;

/** Filters of an address's transfers, all ANDed: those of the batch list, kept in the console's URL. */
export const ReceivedFilters = BatchFiltersInput.pick({
  contractAddress: true,
  statuses: true,
  overdue: true,
  held: true,
  awaitingApproval: true,
  pointType: true,
  createdAfter: true,
  createdBefore: true,
}).extend(RecipientInput.shape);
export type ReceivedFilters = z.output<typeof ReceivedFilters>;

export const ListReceivedInput = ReceivedFilters.extend({
  limit: z.int().min(1).max(LIST_LIMIT_MAX).optional(),
  cursor: z.string().max(CURSOR_CHARS_MAX).nullish(),
});
export type ListReceivedInput = z.output<typeof ListReceivedInput>;

/** What an address has in one point type, as decimal strings. */
export interface Holding {
  /** Received and not taken back: what a person has. What a contract was issued and has sent is not in it. */
  balance: string;
  received: string;
  /** Taken back by finalized reversals. Not subtracted from `received`. */
  takenBack: string;
}

/** The same, and what is about to change it. Anyone may read it on the wallet's page. */
export interface ReceivedPoints extends Holding {
  /** From batches that will be finalized when they are due. */
  expected: string;
  firstDueAt: string | null;
  lastDueAt: string | null;
  overdue: string;
  overdueSince: string | null;
  /** From batches on hold or awaiting approval. Not credited before staff release or approve them. */
  delayed: string;
  /** Reserved by reversals that are not finalized yet. */
  takingBack: string;
}

export const HoldingInput = RecipientInput.extend({ at: TimestampField });
export type HoldingInput = z.output<typeof HoldingInput>;

export interface ConsoleRecipient {
  address: string;
  label: string | null;
  /** Set if the address is also a registered contract. Shown instead of `label`. */
  contractLabel: string | null;
  points: Record<PointType, ReceivedPoints>;
  /** Counts up to `COUNT_MAX` + 1. */
  transferCount: number;
  /** False when not every pending batch or take-back was read. Sums of these are then minimums. */
  isWhole: boolean;
  /** Null when every batch is included. Otherwise only `received` includes batches created after this. */
  indexedUntil: string | null;
  now: string;
}

/** A transfer with details of its batch. `points` is the transfer's own amount. */
export interface ReceivedTransfer
  extends Pick<BatchOut, "contractAddress" | "pointType" | "status" | "points" | "createdAt" | "finalizeAt">,
    Pick<BatchOutcome, "heldBy" | "cancelledAt" | "cancelledBy" | "cancelReason"> {
  contractLabel: string;
  batchId: string;
  /** When, by whom and why its batch was put on hold. Null when it is not on hold. */
  heldAt: string | null;
  holdReason: string | null;
  /** A second person must approve its batch before it is credited. */
  awaitsApproval: boolean;
  creditedAt: string | null;
  /** Set on a row that takes points back: the ID of the contract's batch that paid them. */
  reverses: string | null;
  reversedBy: ReversalState | null;
  /**
   * The balances after it was credited. Null in a filtered list, for an address with more than 10,000
   * transfers, and while some batches are missing.
   */
  running: Record<PointType, string> | null;
}

/** Sums of filtered transfers in one point type, by their state, as decimal strings. */
export interface FilteredPoints {
  transfers: number;
  credited: string;
  pending: string;
  held: string;
  cancelled: string;
  /** By finalized reversals. Not subtracted from `credited`. */
  takenBack: string;
  /** By reversals that are not finalized yet. */
  takingBack: string;
}
