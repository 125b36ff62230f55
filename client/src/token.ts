import { ClientError, TokenUnavailable } from "./client-error.ts";

export interface TokenRequest {
  /** The token that the service has just called expired or unknown; null when any token will do. */
  refusedToken: string | null;
}

/** A token, or what gives one for each request. */
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
    throw new TokenUnavailable(`There is no token to send: ${why}`, { cause });
  }
  // A header cannot carry other characters, and the words in which `fetch` says so would hold the token.
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    throw new TokenUnavailable("The token is not a text of visible ASCII characters without spaces.");
  }
  return token;
}

/** The caller stops waiting; what it waited for goes on for others. */
function unlessAborted<T>(value: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return Promise.resolve(value);
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
