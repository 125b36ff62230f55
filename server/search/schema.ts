import { z } from "zod";
import type { BatchOut } from "@/server/kernel/values/batch-schema";
import { SEARCH_CHARS_MAX } from "./search-limits";

export const FindInput = z.strictObject({ text: z.string().max(SEARCH_CHARS_MAX) });

export type FoundBatch = Pick<BatchOut, "id" | "contractAddress" | "status" | "createdAt"> & {
  contractLabel: string;
  isReversal: boolean;
};

export interface Found {
  batches: FoundBatch[];
  /** The id prefix, if more batches share it than are returned. */
  moreBatches: string | null;
  contracts: { address: string; label: string }[];
  /** Addresses that have an account, and those with a matching label. */
  recipients: { address: string; label: string | null }[];
  /** A complete address that is not used anywhere yet. */
  unknownAddress: string | null;
  /** The address is in mixed case but fails its EIP-55 checksum, so it may contain a typo. */
  hasWrongChecksum: boolean;
}
