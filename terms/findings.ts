import type { BatchStatus } from "./batch-terms";

/** An amount is unusual, or alarming, from this many times the 95th percentile. */
export const UNUSUAL_TIMES = 3;
export const ALARMING_TIMES = 10;
/** A batch is unusual from this percentage of a PREFUNDED contract's points. */
export const LARGE_SHARE_PERCENT = 50;
/**
 * A batch is unusual if at least this percentage of several recipients are new to a contract that has
 * finalized `NEW_RECIPIENTS_HISTORY` batches. Many contracts keep paying new wallets, so below
 * `MOSTLY_NEW_PERCENT` its total also has to reach the 95th percentile of the earlier ones.
 */
export const NEW_RECIPIENTS_PERCENT = 50;
export const MOSTLY_NEW_PERCENT = 80;
export const NEW_RECIPIENTS_HISTORY = 10;

/**
 * `expected` is confirmed by history. `notable` is neither reassuring nor unusual. Staff should check
 * `unusual` and `alarming` findings before the batch is finalized.
 */
export const LEVELS = ["expected", "notable", "unusual", "alarming"] as const;
export type Level = (typeof LEVELS)[number];
export const isOdd = (level: Level): boolean => level === "unusual" || level === "alarming";

/** Amounts of earlier finalized batches, as decimal strings. */
export interface Usual {
  median: string;
  p95: string;
  max: string;
}

export interface ComparedAmount {
  level: Level;
  points: string;
  /** Null without earlier finalized batches. */
  usual: Usual | null;
  /** How many times the 95th percentile, rounded down; null without one. */
  times: string | null;
  /** Larger than ever before. */
  isRecord: boolean;
}

export interface Repeat {
  id: string;
  status: BatchStatus;
  /** Why it was cancelled, or the last of its transfers taken back, and by whom. */
  cancelReason?: string | null;
  cancelledBy?: string | null;
  /** Of another contract's batch. */
  contractAddress?: string;
  contractLabel?: string;
  /** The number of transfers that both batches have, and that it has. Absent if it has all and no others. */
  shared?: number;
  transferCount?: number;
  /** The reviewed batch was sent as its correction. */
  isCorrected?: boolean;
}

/** Findings for staff to check before a batch is finalized. Amounts are decimal strings. */
export interface BatchReview {
  /** The highest level of the findings. */
  level: Level;
  /** Number of batches finalized before its submit that it was compared with. */
  comparedWith: number;
  repeats: { level: Level; batches: Repeat[] };
  /** Of the whole payout, compared with earlier ones, if it is one of several batches and that is known. */
  total: ComparedAmount & { isOfPayout?: boolean };
  largestTransfer: ComparedAmount;
  recipients: { level: Level; total: number; new: number; percent: number };
  /** Percent of the points that the contract had before this batch; null when points are issued on demand. */
  share: { level: Level; percent: number } | null;
}

/** A review of an earlier version lacks what that did not look for. */
export type StoredReview = Partial<BatchReview>;

/** New recipients alone do not start an alert: every contract has such days. */
export const startsAlert = ({ total, largestTransfer, repeats, share }: StoredReview): boolean =>
  [total, largestTransfer, repeats, share].some((finding) => finding && isOdd(finding.level));

const countOf = (transfers: number): string =>
  transfers === 1 ? "transfer" : `${transfers.toLocaleString("en-US")} transfers`;

/** What a batch of `total` transfers shares with an earlier one, as the text before that one's ID. */
export function repeatWords({ shared, transferCount }: Repeat, total = 0): string {
  if (shared === undefined) return `It has the same ${countOf(total)} as `;
  return shared === transferCount
    ? `It contains all ${countOf(shared)} of `
    : `${shared.toLocaleString("en-US")} of its ${countOf(total)} are also in `;
}
