import type { Hex } from "viem";
import type { Transfer } from "@/server/ledger/packed-transfers";
import { ZERO_ADDRESS } from "@/terms/address-text";
import { parsePoints } from "@/terms/points";
import { type BatchOfTree, LEAF_TYPES } from "@/terms/receipt-leaf";

const PARAMETERS = LEAF_TYPES.map((type) => ({ type }));

/** Where a leaf's own values end or begin in its ABI encoding: first, one word of 32 bytes per value. */
const POSITION_END = 4 * 32;
const ADDRESS_END = 5 * 32;
const AMOUNT_START = 5 * 32;
const AMOUNT_HEX_DIGITS = 64;

export type MerkleTree = { root: string; proofOf(position: number): string[] };

/** As `StandardMerkleTree.of`, which takes a second for 2,000 leaves: shared values are encoded once. */
export async function makeMerkleTree(
  batch: BatchOfTree,
  transfers: readonly Transfer[],
): Promise<MerkleTree> {
  hashing ??= loadHashing();
  const { encode, keccak, core } = await hashing;
  const encoded = encode(batch);
  const leaves = transfers.map(({ toAddress, points }, position) => {
    encoded.writeUInt32BE(position, POSITION_END - 4);
    encoded.write(toAddress.slice(2), ADDRESS_END - 20, "hex");
    encoded.write(parsePoints(points).toString(16).padStart(AMOUNT_HEX_DIGITS, "0"), AMOUNT_START, "hex");
    // Hashed twice, so that no inner node can pass for a leaf.
    return `0x${keccak(Buffer.from(keccak(encoded), "hex"))}`;
  });
  const nodeHash = (one: unknown, other: unknown) => {
    const [a, b] = [one as string, other as string];
    return `0x${keccak(Buffer.from(a < b ? a.slice(2) + b.slice(2) : b.slice(2) + a.slice(2), "hex"))}`;
  };
  const order = leaves.map((_, position) => position).sort((a, b) => (leaves[a]! < leaves[b]! ? -1 : 1));
  const tree = core.makeMerkleTree(
    order.map((position) => leaves[position]!),
    nodeHash,
  );
  const placeOf = new Uint32Array(leaves.length);
  order.forEach((position, rank) => {
    placeOf[position] = tree.length - 1 - rank;
  });
  return { root: tree[0]!, proofOf: (position) => core.getProof(tree, placeOf[position]!) };
}

/** Loaded with the first receipt. */
let hashing: ReturnType<typeof loadHashing> | undefined;

async function loadHashing() {
  const [{ encodeAbiParameters }, { createKeccak }, core] = await Promise.all([
    import("viem/utils"),
    import("hash-wasm"),
    import("@openzeppelin/merkle-tree/dist/core.js"),
  ]);
  const hasher = await createKeccak(256);
  return {
    core,
    keccak: (input: Uint8Array) => hasher.init().update(input).digest("hex"),
    /** The encoding of a leaf at position 0 that sends nothing to the zero address. */
    encode: ({ contractAddress, batchId, pointType }: BatchOfTree) => {
      const values = [contractAddress as Hex, batchId, pointType, 0n, ZERO_ADDRESS, 0n] as const;
      return Buffer.from(encodeAbiParameters(PARAMETERS, values as never).slice(2), "hex");
    },
  };
}
