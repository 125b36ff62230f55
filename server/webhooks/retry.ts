import type { SendOutcome } from "./send-request";

const MINUTE = 60;
const HOUR = 3600;
/** Seconds to wait after each failed attempt, as Standard Webhooks suggests: ten attempts in three days. */
const WAIT_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Waits are longer by up to this fraction, at random: what failed together does not retry together. */
const JITTER = 0.2;
const GONE = 410;

export type Outcome = Pick<SendOutcome, "statusCode" | "failure" | "durationMs" | "retryAfterSeconds">;

export type Decision =
  | { next: "done" }
  | { next: "retry"; waitSeconds: number }
  /** `isGone`: the endpoint is gone for good, and gets no other delivery either. */
  | { next: "discard"; isGone: boolean };

/**
 * What follows the attempt with this number, from 1. A receiver may ask for a longer wait, not a shorter.
 * @param random at least 0, less than 1
 */
export function decideAfter(
  attempt: number,
  { statusCode, retryAfterSeconds = 0 }: Pick<Outcome, "statusCode" | "retryAfterSeconds">,
  random: number,
): Decision {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { next: "done" };
  const least = WAIT_SECONDS[attempt - 1];
  if (statusCode === GONE || least === undefined) return { next: "discard", isGone: statusCode === GONE };
  return { next: "retry", waitSeconds: Math.max(least, retryAfterSeconds) * (1 + JITTER * random) };
}
