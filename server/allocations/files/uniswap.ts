import { treeHost } from "@/server/kernel/keccak";
import { single } from "@/server/kernel/process";
import type { ReadClaims } from "@/terms/claims/claim-tree";
import { makeUniswapTree, type UniswapTree, uniswapProofOf } from "@/terms/claims/claim-tree";
import { claimTexts, comma, type FileAllocation, hexOf, type StoredClaims, sameRoot } from "./claim-text";

/** What `generate-merkle-root` prints. */
export async function* uniswapClaims(
  allocation: FileAllocation,
  { read }: StoredClaims,
): AsyncGenerator<string> {
  const tree = await treeOf(allocation, read);
  yield `{"merkleRoot":"${hexOf(tree.root)}","tokenTotal":"${hexUnits(allocation.sum)}","claims":{`;
  yield* claimTexts(read, (claim, address) => {
    const index = tree.indexes[claim.index];
    const proof = uniswapProofOf(tree, claim.index).map(hexOf);
    return `${comma(claim)}"${address}":${JSON.stringify({ index, amount: hexUnits(claim.amount), proof })}`;
  });
  yield "}}\n";
}

const KEPT_MS = 600_000;

/** One tree is made at a time, and the last one is kept for a while. It takes 70 bytes a claim. */
function treeOf({ claims, uniswapRoot }: FileAllocation, read: ReadClaims): Promise<UniswapTree> {
  const last = single("last Uniswap tree", () => ({ root: "", tree: null as Promise<UniswapTree> | null }));
  const root = hexOf(uniswapRoot);
  if (last.tree && last.root === root) return last.tree;
  const make = async () => sameRoot(await makeUniswapTree(await treeHost(), read, claims), uniswapRoot);
  const tree = last.tree ? last.tree.then(make, make) : make();
  const forget = () => {
    if (last.tree === tree) last.tree = null;
  };
  Object.assign(last, { root, tree });
  tree.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
  return tree;
}

/** Whole bytes, as ethers writes a BigNumber. */
function hexUnits(units: bigint): string {
  const digits = units.toString(16);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}
