import { ClientError, TokenUnavailable } from "./client-error.ts";
import { unlessAborted } from "./retry-policy.ts";

export interface TokenRequest {
  /** The token that the service just refused as expired or invalid; null if any token is fine. */
  refusedToken: string | null;
}

/** A token, or a function that returns one for each request. */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/**
 * The token to send now.
 * @throws TokenUnavailable, or the signal's own reason when the caller aborts
 */
export async function takeToken(
  source: TokenSource,
  refusedToken: string | null,
  signal: AbortSignal | undefined,
): Promise<string> {
  let token: unknown;
  try {
    token = typeof source === "string" ? source : await unlessAborted(source({ refusedToken }), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const why = cause instanceof ClientError ? cause.message : "the token function failed";
    throw new TokenUnavailable(`No token to send: ${why}`, { cause });
  }
  // A header allows no other characters, and `fetch`'s own error would contain the token.
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token))
    throw new TokenUnavailable("The token must contain only visible ASCII characters, without spaces.");
  return token;
}
