import type { Hex } from "viem";
import { treeHost } from "@/server/kernel/keccak";
import type { Transfer } from "@/server/ledger/packed-transfers";
import { ZERO_ADDRESS } from "@/terms/address-text";
import { makeStandardTree, NODE_BYTES, proofOf } from "@/terms/claims/claim-tree";
import { parsePoints } from "@/terms/points";
import { type BatchOfTree, LEAF_TYPES } from "@/terms/receipt-leaf";

const PARAMETERS = LEAF_TYPES.map((type) => ({ type }));

/** Where a leaf's own values end or begin in its ABI encoding: first, one word of 32 bytes per value. */
const POSITION_END = 4 * 32;
const ADDRESS_END = 5 * 32;
const AMOUNT_START = 5 * 32;
const AMOUNT_HEX_DIGITS = 64;

/** As `StandardMerkleTree.of`, which takes a second for 2,000 leaves: shared values are encoded once. */
export async function makeMerkleTree(batch: BatchOfTree, transfers: readonly Transfer[]) {
  const [host, encoded] = await Promise.all([treeHost(), encode(batch)]);
  const leaves = Buffer.alloc(transfers.length * NODE_BYTES);
  transfers.forEach(({ toAddress, points }, position) => {
    encoded.writeUInt32BE(position, POSITION_END - 4);
    encoded.write(toAddress.slice(2), ADDRESS_END - 20, "hex");
    encoded.write(parsePoints(points).toString(16).padStart(AMOUNT_HEX_DIGITS, "0"), AMOUNT_START, "hex");
    // Hashed twice, so that no inner node can pass for a leaf.
    leaves.set(host.keccak(host.keccak(encoded)), position * NODE_BYTES);
  });
  const tree = await makeStandardTree(host, leaves);
  return {
    root: hexOf(tree.root),
    proofOf: (position: number) => proofOf(tree, position).map(hexOf),
  };
}

const hexOf = (node: Uint8Array) => `0x${Buffer.from(node).toString("hex")}`;

/** The encoding of a leaf at position 0 that sends nothing to the zero address. */
async function encode({ contractAddress, batchId, pointType }: BatchOfTree): Promise<Buffer> {
  const { encodeAbiParameters } = await import("viem/utils");
  const values = [contractAddress as Hex, batchId, pointType, 0n, ZERO_ADDRESS, 0n] as const;
  return Buffer.from(encodeAbiParameters(PARAMETERS, values as never).slice(2), "hex");
}
