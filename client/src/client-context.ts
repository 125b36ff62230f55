import { InvalidArgument } from "./client-error.ts";
import type { Transport } from "./transport.ts";

/** What every client function needs. */
export interface ClientContext {
  transport: Transport;
  contractAddress: string | undefined;
}

export interface CallOptions {
  /** The contract to act for, if not the client's own. */
  contractAddress?: string;
  /** Aborts the call, which rejects with the signal's reason. A submit that was already sent may still arrive. */
  signal?: AbortSignal;
}

/** @throws InvalidArgument */
export function contractOf(ctx: ClientContext, options: CallOptions): string {
  const contractAddress = options.contractAddress ?? ctx.contractAddress;
  if (contractAddress === undefined) {
    throw new InvalidArgument("contractAddress is missing. Set it in createClient or in the call.");
  }
  return contractAddress;
}
