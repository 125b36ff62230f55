import { keccak256 } from "js-sha3";
import type { FileAllocation, StoredClaims } from "@/server/allocations/files/claim-text";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { treeHost } from "@/server/kernel/keccak";
import { type Claim, makeClaimTree, type ReadClaims, uniswapRoot } from "@/terms/claims/claim-tree";

export const HOST = await treeHost();

/** Claims of these addresses, in address order as they are stored. */
export function claimsOf(amounts: readonly (readonly [address: string, amount: bigint])[]): Claim[] {
  return amounts
    .map(([address, amount]) => ({ index: 0, address: addressToBytes(address), amount }))
    .sort((one, other) => one.address.compare(other.address))
    .map((claim, index) => ({ ...claim, index }));
}

/** Always the same ones for the same number. Some amounts are beyond what a double can hold. */
export const someClaims = (count: number): Claim[] =>
  claimsOf(
    Array.from({ length: count }, (_, each) => {
      const hash = keccak256(`claim ${each}`);
      return [`0x${hash.slice(0, 40)}`, BigInt(`0x${hash.slice(40, 40 + 1 + (each % 20))}`) + 1n] as const;
    }),
  );

/** In parts, as packed rows are read. */
export const readerOf = (claims: readonly Claim[], perPart = 4): ReadClaims =>
  async function* () {
    for (let start = 0; start < claims.length; start += perPart) yield claims.slice(start, start + perPart);
  };

/** As they are stored of an allocation. */
export const storedClaims = (claims: readonly Claim[]): StoredClaims => {
  const read = readerOf(claims);
  return { read, readTree: () => makeClaimTree(HOST, read, claims.length) };
};

export const textOf = ({ address }: Claim): string => addressFromBytes(address);
export const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;

/** The allocation that has them, of a token with six decimals. */
export async function fileAllocationOf(claims: readonly Claim[]): Promise<FileAllocation> {
  const read = readerOf(claims);
  return {
    name: "Season 1: early birds",
    snapshotId: "01890a5d-ac96-774b-bcce-b302099a8057",
    claims: claims.length,
    sum: claims.reduce((sum, { amount }) => sum + amount, 0n),
    ...{ payer: null, decimals: 6 },
    root: (await makeClaimTree(HOST, read, claims.length)).root,
    uniswapRoot: await uniswapRoot(HOST, read, claims.length),
  };
}
