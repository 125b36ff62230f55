import {
  ApiProblem,
  ClientError,
  ConnectionFailure,
  TokenUnavailable,
  UnexpectedReply,
} from "./client-error.ts";

/** As many as the time of the whole call allows: a restart of the service may take half a minute. */
export const RETRIES_DEFAULT = 2 ** 31 - 1;
const BACKOFF_BASE_MS = 250;
const BACKOFF_MS_MAX = 8_000;

/**
 * When an operation may be sent again.
 * - `always`: repeating it is harmless (reads, dry runs, PUT and DELETE of a batch, a challenge)
 * - `when_refused`: only if the service certainly did nothing (a snapshot, or solving a challenge)
 */
export type Repeat = "always" | "when_refused";

/** Replies after which the same request may succeed. Only 429 means that nothing was done. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Whether certainly nothing was done, because the request never arrived or was refused before processing.
 * `unavailable` also says that, unless a repeat is harmless; otherwise the service says `outcome_unknown`.
 */
export function isRefused(error: ClientError, repeat: Repeat = "always"): boolean {
  if (error instanceof ConnectionFailure) return !error.maybeSent;
  if (error instanceof ApiProblem)
    return error.status < 500 || (repeat === "when_refused" && error.code === "unavailable");
  if (!(error instanceof UnexpectedReply)) return true;
  const { status } = error;
  // 0 is a redirect that a browser hides; 408 means that only part of a request arrived.
  return status === 0 || (status >= 300 && status < 500 && status !== 408);
}

/** Whether the same request may succeed on a retry. */
export function mayPass(error: ClientError): boolean {
  if (error instanceof ConnectionFailure) return true;
  if (error instanceof UnexpectedReply) return error.isTorn || PASSING.has(error.status);
  if (error instanceof TokenUnavailable) return error.cause instanceof ClientError && mayPass(error.cause);
  return error instanceof ApiProblem && PASSING.has(error.status);
}

/** Milliseconds to wait before a retry; null if there must be none. */
export function delayBeforeRetry(error: ClientError, repeat: Repeat, attempt: number): number | null {
  if (!mayPass(error) || (repeat === "when_refused" && !isRefused(error, repeat))) return null;
  const asked =
    error instanceof ApiProblem || error instanceof UnexpectedReply ? error.retryAfterSeconds : null;
  const doublings = asked === null ? Math.min(attempt, 20) : 1;
  // Full jitter: a random wait below a bound that doubles.
  return (asked ?? 0) * 1000 + Math.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_BASE_MS * 2 ** doublings);
}

/** The longest possible timer; a longer one would fire immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Stops waiting for a promise that others may still need. Rejects with the signal's reason. */
export function unlessAborted<T>(value: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
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

/** Rejects with the signal's reason if the caller aborts during the wait. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(Math.max(ms, 0), TIMER_MS_MAX));
  });
  await unlessAborted(waited, signal).finally(() => clearTimeout(timer));
}
