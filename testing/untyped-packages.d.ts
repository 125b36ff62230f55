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

/** What the tests use of the package, which has no types. */
declare module "solc" {
  const compiler: {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  };
  export default compiler;
}

/** What the tests use of the package, which has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, reply: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, reply: ServerResponse): Promise<unknown>;
    interactionFinished(request: IncomingMessage, reply: ServerResponse, result: object): Promise<void>;
    Grant: new (
      of: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  }
}
