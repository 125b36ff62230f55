import { setImmediate as pause } from "node:timers/promises";
import { type ClaimTree, NODE_BYTES, siblingsOf } from "@/terms/claims/claim-tree";
import { claimTexts, comma, type FileAllocation, keptTree, type StoredClaims } from "./claim-text";

const NODES_AT_ONCE = 2000;

export async function* standardTree(
  { root }: FileAllocation,
  { read, readTree }: StoredClaims,
): AsyncGenerator<string> {
  const tree = await keptTree(root, readTree);
  yield '{"format":"standard-v1","leafEncoding":["address","uint256"],"tree":[';
  yield* nodeTexts(tree);
  yield '],"values":[';
  yield* claimTexts(read, (claim, address) => {
    const value = [address, String(claim.amount)];
    return comma(claim) + JSON.stringify({ value, treeIndex: tree.positions[claim.index] });
  });
  yield "]}\n";
}

/** A JSON object per line, for programs that cannot hold all claims in memory. */
export async function* claimLines(
  { root }: FileAllocation,
  { read, readTree }: StoredClaims,
): AsyncGenerator<string> {
  const tree = await keptTree(root, readTree);
  const hashAt = hashesOf(tree);
  yield* claimTexts(read, ({ index, amount }, address) => {
    const proof = siblingsOf(tree.positions[index]!).map(hashAt);
    return `${JSON.stringify({ index, address, amount: String(amount), proof })}\n`;
  });
}

/** Reads a node's hash without a copy of it, which takes half the time: a million proofs have 20 million. */
function hashesOf({ nodes }: ClaimTree): (node: number) => string {
  const bytes = Buffer.from(nodes.buffer, nodes.byteOffset, nodes.length);
  return (node) => `0x${bytes.toString("hex", node * NODE_BYTES, (node + 1) * NODE_BYTES)}`;
}

async function* nodeTexts(tree: ClaimTree): AsyncGenerator<string> {
  const count = tree.nodes.length / NODE_BYTES;
  const hashAt = hashesOf(tree);
  for (let start = 0; start < count; start += NODES_AT_ONCE) {
    const length = Math.min(NODES_AT_ONCE, count - start);
    const some = Array.from({ length }, (_, at) => `"${hashAt(start + at)}"`);
    yield (start === 0 ? "" : ",") + some.join(",");
    await pause();
  }
}
