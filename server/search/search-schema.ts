import { z } from "zod";
import type { BatchStatus } from "../kernel/values/batch-state";
import { SEARCH_CHARS_MAX } from "./search-limits";

export const FindInput = z.strictObject({ text: z.string().max(SEARCH_CHARS_MAX) });

export interface FoundBatch {
  id: string;
  contractAddress: string;
  contractLabel: string;
  status: BatchStatus;
  createdAt: string;
}

export interface Found {
  batches: FoundBatch[];
  /** The beginning of an id that more batches share than are given. */
  moreBatches: string | null;
  contracts: { address: string; label: string }[];
  /** Addresses with an account. */
  recipients: string[];
  /** A whole address that nothing is known of yet. */
  unknownAddress: string | null;
  /** The address is written in mixed case that does not satisfy its EIP-55 checksum: a letter may be wrong. */
  hasWrongChecksum: boolean;
}
