/** What the tests use of packages that only the deep tests install. */
declare module "@ethereumjs/util" {
  export interface Address {
    bytes: Uint8Array;
  }
  export function createAddressFromString(text: string): Address;
  export function hexToBytes(hex: string): Uint8Array;
}

declare module "@ethereumjs/evm" {
  import type { Address } from "@ethereumjs/util";

  export function createEVM(): Promise<{
    runCall(call: { caller: Address; data: Uint8Array; gasLimit: bigint; to?: Address }): Promise<{
      createdAddress?: Address;
      execResult: { exceptionError?: { error: string }; returnValue: Uint8Array };
    }>;
  }>;
}
