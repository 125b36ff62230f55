import { keccak256 } from "js-sha3";
import type { Claim, ReadClaims } from "@/server/allocations/claims";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";

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

export const textOf = ({ address }: Claim): string => addressFromBytes(address);
export const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
