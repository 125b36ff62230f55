import type { BatchStatus } from "./batch-terms";

export interface Amount {
  points: string;
  /** Null while it is not known. */
  status: BatchStatus | null;
  /** Set if the points went from the recipients to the contract. */
  reverses?: string | null | undefined;
}

/** What has moved of a transfer or a batch, to be added up: below zero for what was taken back. */
export const movedOf = ({ points, status, reverses }: Amount): string =>
  status !== "FINALIZED" ? "0" : reverses ? `-${points}` : points;
