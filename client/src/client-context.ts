import { InvalidArgument } from "./client-error.ts";
import type { Transport } from "./transport.ts";

/** What every verb of a client works with. */
export interface ClientContext {
  transport: Transport;
  contractAddress: string | undefined;
}

export interface CallOptions {
  /** The contract to act for, when it is not the client's own. */
  contractAddress?: string;
  /** Ends the call: it rejects with the signal's reason. A submit that was on its way may have arrived. */
  signal?: AbortSignal;
}

/** @throws InvalidArgument */
export function contractOf(ctx: ClientContext, options: CallOptions): string {
  const contractAddress = options.contractAddress ?? ctx.contractAddress;
  if (contractAddress === undefined) {
    throw new InvalidArgument("Name a contractAddress, in createClient or in the call.");
  }
  return contractAddress;
}
