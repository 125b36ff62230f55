import { checksumAddress, hashAddressesWith } from "@/terms/address-text";
import { loadKeccak } from "./keccak";

export const addressToBytes = (value: string): Buffer => Buffer.from(value.slice(2), "hex");

/** The EIP-55 form of 20 bytes. The service returns addresses in no other form. */
export const addressFromBytes = (value: Uint8Array): string =>
  checksumAddress(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex"));

export const distinctAddresses = (addresses: readonly Buffer[]): Buffer[] => [
  ...new Map(addresses.map((address) => [address.toString("hex"), address])).values(),
];

/** The text of a Postgres array of addresses, for `::bytea[]`. */
export const addressArray = (addresses: readonly Buffer[]): string =>
  `{${addresses.map((address) => `"\\\\x${address.toString("hex")}"`).join(",")}}`;

/**
 * Keccak-256 in WebAssembly takes a third of the time: "submit 2000 at 16, eip55" in docs/benchmarks.md.
 * Browsers, whose content security policy forbids it, and Next's routes, which load their own copy of the
 * module, use JavaScript.
 */
export async function compileKeccak(): Promise<void> {
  hashAddressesWith(await loadKeccak());
}
