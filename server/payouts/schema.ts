import { z } from "zod";
import type { ConsoleBatch, PayoutCounts } from "@/server/batches/list/console-schema";
import type { Metadata, PointType } from "@/terms/batch-terms";
import { AddressField, BatchIdField } from "@/terms/fields";

export const PayoutKeyInput = z.strictObject({
  contractAddress: AddressField,
  payoutId: BatchIdField.meta({ description: "ID of the payout, as its batches were submitted with it." }),
});
export type PayoutKey = z.output<typeof PayoutKeyInput>;

/** All unfinished payouts, or only this one. */
export const UnfinishedPayoutsInput = PayoutKeyInput.partial();
export type UnfinishedPayoutsInput = z.output<typeof UnfinishedPayoutsInput>;

/** How many batches of a payout are returned. The counts and sums are of all of them. */
export const PAYOUT_PARTS_SHOWN_MAX = 1000;

/** `PENDING` while one of its batches is PENDING or FINALIZING. Then by how many of them were cancelled. */
export const PAYOUT_STATUSES = ["PENDING", "FINALIZED", "PARTLY_CANCELLED", "CANCELLED"] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Exact sums of a payout's batches of one point type. */
export interface PayoutAmounts {
  pointType: PointType;
  /** Of all batches, cancelled ones included. */
  points: string;
  pending: string;
  finalizing: string;
  finalized: string;
  cancelled: string;
  /** What finalized reversals have taken back of the finalized points. */
  takenBack: string;
}

export interface Payout {
  contractAddress: string;
  id: string;
  status: PayoutStatus;
  /** The file's name; null for payouts of `/v1`. */
  fileName: string | null;
  /** How many batches the file has; null for payouts of `/v1`, which have no fixed number. */
  partCount: number | null;
  /** Batches stored, cancelled ones included. */
  stored: number;
  counts: PayoutCounts;
  transferCount: number;
  /** One for each point type. A console's payout has one. */
  amounts: PayoutAmounts[];
  submittedBy: string[];
  firstSubmittedAt: string;
  lastSubmittedAt: string;
  /** Of the batches that are not cancelled; null if all are. */
  firstDueAt: string | null;
  lastDueAt: string | null;
  /** When the last batch so far was finalized. */
  lastFinalizedAt: string | null;
}

/** A payout for its console page. */
export interface ConsolePayout extends Payout {
  contractLabel: string;
  /** Its file, or its ID. */
  name: string;
  /** Who released the file's batches after its review, and when; null until then. */
  checked: { by: string; at: string } | null;
  /** The first hundred parts of the file that are not stored, counted from 1. */
  missingParts: number[];
  /** Different addresses; null for so many transfers that they are not counted. */
  recipientCount: number | null;
  /** Of its first batch. */
  metadata: Metadata;
  /** ID of the cancelled batch that it corrects. */
  corrects: string | null;
  /** Up to a thousand, in the order of the file or, without one, of submitting. */
  parts: ConsoleBatch[];
  /** The first hundred batches that were cancelled. */
  stops: { batchId: string; by: string | null; reason: string | null }[];
  /** The latest hundred batches that take transfers of it back. */
  reversals: ConsoleBatch[];
  now: string;
}

/** A file of which some batches still wait for the rest of it, or for its release. None of these is paid. */
export interface UnfinishedPayout {
  id: string;
  fileName: string;
  contractAddress: string;
  pointType: PointType;
  waitSeconds: number;
  corrects: string | null;
  metadata: Metadata;
  partCount: number;
  /** Parts stored, cancelled ones included. */
  stored: number;
  cancelled: number;
  /** Parts on hold since they were stored. */
  waiting: number;
  /** Exact, of the parts on hold. */
  points: string;
  /** When the first part on hold is due. It is finalized then, or once released if that is later. */
  firstDueAt: string;
  submittedBy: string;
}
