import { treeHost } from "@/server/kernel/keccak";
import type { ReadClaims } from "@/terms/claims/claim-tree";
import { makeUniswapTree, uniswapProofOf } from "@/terms/claims/claim-tree";
import { claimTexts, comma, type FileAllocation, hexOf, sameRoot } from "./claim-text";

/** What `generate-merkle-root` reads. Any other reason would add flags to the claim. */
export async function* uniswapInput(_: FileAllocation, read: ReadClaims): AsyncGenerator<string> {
  yield "[";
  yield* claimTexts(
    read,
    (claim, address) =>
      comma(claim) + JSON.stringify({ address, earnings: String(claim.amount), reasons: "" }),
  );
  yield "]\n";
}

/** What `generate-merkle-root` prints. */
export async function* uniswapClaims(allocation: FileAllocation, read: ReadClaims): AsyncGenerator<string> {
  const { claims, sum, uniswapRoot } = allocation;
  const tree = sameRoot(await makeUniswapTree(await treeHost(), read, claims), uniswapRoot);
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
