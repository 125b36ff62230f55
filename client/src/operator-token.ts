import { type OperatorSession, type SignMessage, signIn } from "./sign-in.ts";
import type { TokenRequest } from "./token.ts";
import { createTransport, type TransportOptions } from "./transport.ts";

/** How long before its expiry a token is renewed. */
const RENEW_BEFORE_MS = 300_000;

export interface OperatorTokenOptions extends TransportOptions {
  contractAddress: string;
  operatorAddress: string;
  signMessage: SignMessage;
}

/**
 * A `token` for `createClient` that signs in as the contract's operator on first use, five minutes before the
 * token expires, and when the service no longer accepts it. Concurrent calls share one sign-in.
 * @throws InvalidArgument
 */
export function operatorToken(options: OperatorTokenOptions): (request: TokenRequest) => Promise<string> {
  const { contractAddress, operatorAddress, signMessage } = options;
  const ctx = { transport: createTransport(options, null), contractAddress };
  let session: OperatorSession | null = null;
  let signingIn: Promise<OperatorSession> | null = null;
  return async ({ refusedToken }) => {
    const isFresh = session && session.expiresAt - RENEW_BEFORE_MS > Date.now();
    if (session && isFresh && session.token !== refusedToken) return session.token;
    signingIn ??= signIn(ctx, { operatorAddress, signMessage }).finally(() => {
      signingIn = null;
    });
    session = await signingIn;
    return session.token;
  };
}
