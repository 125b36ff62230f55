import { expect, test } from "vitest";
import { decideAfter } from "./retry";

const HOUR = 3600;
const discarded = (isGone: boolean) => ({ next: "discard", isGone });
const retried = (waitSeconds: number) => ({ next: "retry", waitSeconds });

test.each([
  { attempt: 1, statusCode: 200, decision: { next: "done" } },
  { attempt: 10, statusCode: 299, decision: { next: "done" } },
  { attempt: 1, statusCode: null, decision: retried(5) },
  { attempt: 1, statusCode: 199, decision: retried(5) },
  { attempt: 1, statusCode: 301, decision: retried(5) },
  { attempt: 1, statusCode: 404, decision: retried(5) },
  { attempt: 2, statusCode: 500, decision: retried(300) },
  { attempt: 3, statusCode: 500, decision: retried(1800) },
  { attempt: 4, statusCode: 500, decision: retried(2 * HOUR) },
  { attempt: 5, statusCode: 500, decision: retried(5 * HOUR) },
  { attempt: 6, statusCode: 500, decision: retried(10 * HOUR) },
  { attempt: 7, statusCode: 500, decision: retried(14 * HOUR) },
  { attempt: 8, statusCode: 500, decision: retried(20 * HOUR) },
  { attempt: 9, statusCode: 500, decision: retried(24 * HOUR) },
  { attempt: 10, statusCode: 500, decision: discarded(false) },
  { attempt: 10, statusCode: null, decision: discarded(false) },
  { attempt: 1, statusCode: 410, decision: discarded(true) },
  { attempt: 10, statusCode: 410, decision: discarded(true) },
  { attempt: 1, statusCode: 429, retryAfterSeconds: 600, decision: retried(600) },
  { attempt: 4, statusCode: 429, retryAfterSeconds: 600, decision: retried(2 * HOUR) },
  { attempt: 10, statusCode: 429, retryAfterSeconds: 600, decision: discarded(false) },
  { attempt: 1, statusCode: 410, retryAfterSeconds: 600, decision: discarded(true) },
  { attempt: 1, statusCode: 500, random: 0.5, decision: retried(5.5) },
  { attempt: 1, statusCode: 429, retryAfterSeconds: 600, random: 0.5, decision: retried(660) },
])(
  "attempt $attempt that gets $statusCode (Retry-After $retryAfterSeconds) is followed by $decision",
  (row) => {
    const { attempt, decision, random = 0, ...outcome } = row;
    expect(decideAfter(attempt, outcome, random)).toEqual(decision);
  },
);
