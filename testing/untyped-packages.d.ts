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

declare module "solc" {
  /** Standard JSON in and out. */
  const solc: {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  };
  export default solc;
}

declare module "@ethereumjs/evm" {
  interface CallResult {
    createdAddress?: object;
    execResult: { returnValue: Uint8Array; exceptionError?: { error: string } };
  }
  export function createEVM(): Promise<{
    runCall(call: {
      data: Uint8Array;
      to?: object;
      gasLimit: bigint;
      skipBalance: true;
    }): Promise<CallResult>;
  }>;
}

declare module "openzeppelin-merkle-tree-1.0.5" {
  export { StandardMerkleTree } from "@openzeppelin/merkle-tree";
}
