import { treeHost } from "@/server/kernel/keccak";
import type { ReadClaims } from "@/terms/claims/claim-tree";
import * as trees from "@/terms/claims/claim-tree";

export interface ClaimTree {
  root: Buffer;
  /** A heap of 2n − 1 nodes of 32 bytes, the root first. */
  nodes: Buffer;
  /** Where in `nodes` the leaf of each claim is, by the claim's index. */
  positions: Uint32Array;
}

/** OpenZeppelin's, made in parts, between which requests are served. @param count at least 1 */
export async function makeClaimTree(read: ReadClaims, count: number): Promise<ClaimTree> {
  const { root, nodes, positions } = await trees.makeClaimTree(await treeHost(), read, count);
  return { root: bufferOf(root), nodes: bufferOf(nodes), positions };
}

export const uniswapRoot = async (read: ReadClaims, count: number): Promise<Buffer> =>
  bufferOf(await trees.uniswapRoot(await treeHost(), read, count));

/** Null where Sablier refuses the file: it needs two recipients and a sum below 2^128. */
export async function sablierRoot(read: ReadClaims, count: number): Promise<Buffer | null> {
  const root = await trees.sablierRoot(await treeHost(), read, count);
  return root && bufferOf(root);
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
