import { setImmediate as pause } from "node:timers/promises";
import type { AllocationFigures, AllocationOut } from "@/server/allocations/schema";
import { loadKeccak } from "@/server/kernel/keccak";
import { single } from "@/server/kernel/process";
import { writeChecksummed } from "@/terms/claims/checksummed";
import type { Claim, ClaimTree, ReadClaims } from "@/terms/claims/claim-tree";

/** What files say about an allocation. */
export interface FileAllocation
  extends Pick<AllocationOut, "name" | "snapshotId" | "payer" | "decimals">,
    Pick<AllocationFigures, "claims"> {
  sum: bigint;
  root: Uint8Array;
  uniswapRoot: Uint8Array;
}

/** The claims of an allocation as they are stored. */
export interface StoredClaims {
  read: ReadClaims;
  /** OpenZeppelin's tree of them. */
  readTree(): Promise<ClaimTree>;
}

const CLAIMS_AT_ONCE = 500;

/** The texts of all claims, many in one chunk. Requests are served between chunks. */
export async function* claimTexts(
  read: ReadClaims,
  textOf: (claim: Claim, address: string) => string,
): AsyncGenerator<string> {
  const addressOf = await addressWriter();
  for await (const claims of read())
    for (let start = 0; start < claims.length; start += CLAIMS_AT_ONCE) {
      const some = claims.slice(start, start + CLAIMS_AT_ONCE);
      yield some.map((claim) => textOf(claim, addressOf(claim))).join("");
      await pause();
    }
}

/** Without the memory of `addressFromBytes`, which a million addresses would push everything out of. */
export async function addressWriter(): Promise<(claim: Claim) => string> {
  const keccak = await loadKeccak();
  const digits = Buffer.alloc(40);
  return ({ address }) => {
    writeChecksummed(keccak, address, digits, 0);
    return `0x${digits.toString("latin1")}`;
  };
}

export const hexOf = (node: Uint8Array): string => `0x${Buffer.from(node).toString("hex")}`;

/** In a list or an object, after the first item. */
export const comma = ({ index }: Claim): string => (index === 0 ? "" : ",");

const KEPT_MS = 600_000;

/**
 * One tree is read or made at a time, and the last one is kept for a while. It takes 70 bytes a claim. Claims
 * that do not make the allocation's own root are not written.
 */
export function keptTree<Tree extends { root: Uint8Array }>(
  root: Uint8Array,
  make: () => Promise<Tree>,
): Promise<Tree> {
  const last = single("last tree", () => ({ root: "", tree: null as Promise<object> | null }));
  const name = hexOf(root);
  if (last.tree && last.root === name) return last.tree as Promise<Tree>;
  const checked = async () => {
    const tree = await make();
    if (Buffer.compare(root, tree.root) === 0) return tree;
    throw new Error(`The claims make the root ${hexOf(tree.root)}, the allocation has ${name}.`);
  };
  const tree = last.tree ? last.tree.then(checked, checked) : checked();
  const forget = () => {
    if (last.tree === tree) last.tree = null;
  };
  Object.assign(last, { root: name, tree });
  tree.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
  return tree;
}
