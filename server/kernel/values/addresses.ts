import { checksumAddress } from "./address-text";

/** The twenty bytes of a valid address. */
export function addressToBytes(value: string): Buffer {
  return Buffer.from(value.slice(2), "hex");
}

/** The EIP-55 form of twenty bytes: the only form that leaves the service. */
export function addressFromBytes(value: Uint8Array): string {
  return checksumAddress(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex"));
}
