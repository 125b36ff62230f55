import { setImmediate as pause } from "node:timers/promises";
import type { ClaimTree } from "@/terms/claims/claim-tree";
import { NODE_BYTES, proofOf } from "@/terms/claims/claim-tree";
import { claimTexts, comma, type FileAllocation, hexOf, type StoredClaims, sameRoot } from "./claim-text";

const NODES_AT_ONCE = 2000;

export async function* standardTree(
  { root }: FileAllocation,
  { read, readTree }: StoredClaims,
): AsyncGenerator<string> {
  const tree = sameRoot(await readTree(), root);
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
  const tree = sameRoot(await readTree(), root);
  yield* claimTexts(read, ({ index, amount }, address) => {
    const proof = proofOf(tree, index).map(hexOf);
    return `${JSON.stringify({ index, address, amount: String(amount), proof })}\n`;
  });
}

async function* nodeTexts({ nodes }: ClaimTree): AsyncGenerator<string> {
  const count = nodes.length / NODE_BYTES;
  for (let start = 0; start < count; start += NODES_AT_ONCE) {
    const some = Array.from({ length: Math.min(NODES_AT_ONCE, count - start) }, (_, at) => {
      const from = (start + at) * NODE_BYTES;
      return `"${hexOf(nodes.subarray(from, from + NODE_BYTES))}"`;
    });
    yield (start === 0 ? "" : ",") + some.join(",");
    await pause();
  }
}
