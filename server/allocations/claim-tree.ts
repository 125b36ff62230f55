import { treeHost } from "@/server/kernel/keccak";
import type { ReadClaims } from "@/terms/claims/claim-tree";
import * as trees from "@/terms/claims/claim-tree";

// All are made in parts, between which requests are served.

/** OpenZeppelin's. @param count at least 1 */
export const makeClaimTree = async (read: ReadClaims, count: number) =>
  trees.makeClaimTree(await treeHost(), read, count);

export const uniswapRoot = async (read: ReadClaims, count: number) =>
  trees.uniswapRoot(await treeHost(), read, count);

/** Null where Sablier refuses the file: it needs two recipients and a sum below 2^128. */
export const sablierRoot = async (read: ReadClaims, count: number) =>
  trees.sablierRoot(await treeHost(), read, count);
