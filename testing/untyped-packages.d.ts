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
