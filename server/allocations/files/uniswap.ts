import { treeHost } from "@/server/kernel/keccak";
import { makeUniswapTree, uniswapProofOf } from "@/terms/claims/claim-tree";
import { claimTexts, comma, type FileAllocation, hexOf, keptTree, type StoredClaims } from "./claim-text";

/** What `generate-merkle-root` prints. */
export async function* uniswapClaims(
  { uniswapRoot, claims, sum }: FileAllocation,
  { read }: StoredClaims,
): AsyncGenerator<string> {
  const tree = await keptTree(uniswapRoot, async () => makeUniswapTree(await treeHost(), read, claims));
  yield `{"merkleRoot":"${hexOf(tree.root)}","tokenTotal":"${hexUnits(sum)}","claims":{`;
  yield* claimTexts(read, (claim, address) => {
    const index = tree.indexes[claim.index];
    const proof = uniswapProofOf(tree, claim.index).map(hexOf);
    return `${comma(claim)}"${address}":${JSON.stringify({ index, amount: hexUnits(claim.amount), proof })}`;
  });
  yield "}}\n";
}

/** Whole bytes, as ethers writes a BigNumber. */
function hexUnits(units: bigint): string {
  const digits = units.toString(16);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}
