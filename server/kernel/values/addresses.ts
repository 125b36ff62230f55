import { checksumAddress } from "./address-text";

export const addressToBytes = (value: string): Buffer => Buffer.from(value.slice(2), "hex");

/** The EIP-55 form of 20 bytes. The service returns addresses in no other form. */
export const addressFromBytes = (value: Uint8Array): string =>
  checksumAddress(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex"));

/** Each address once. */
export const distinctAddresses = (addresses: readonly Buffer[]): Buffer[] => [
  ...new Map(addresses.map((address) => [address.toString("hex"), address])).values(),
];

/** The text of a Postgres array of addresses, for `::bytea[]`. */
export const addressArray = (addresses: readonly Buffer[]): string =>
  `{${addresses.map((address) => `"\\\\x${address.toString("hex")}"`).join(",")}}`;
