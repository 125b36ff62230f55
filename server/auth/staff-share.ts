import { processMetrics } from "../kernel/metrics/process-metrics";
import { rateLimited } from "../kernel/retry-later";
import { settings } from "../kernel/settings";
import { single } from "../kernel/single";
import type { RequestContext } from "../kernel/trpc-context";
import { Turns } from "../kernel/turns";
import { overQuota, perWindow, WINDOW_SECONDS } from "../kernel/window-quota";

/**
 * How many calls of one line run at a time. The others wait. With two counts of a busy recipient on two cores, another
 * contract's p99 was multiplied by 2.1 to 2.5; with one, by 1.1 to 1.8 (`npm run faults -- hostile-viewer`).
 */
export const RUNNING_MAX = 1;
/** A dozen tabs of a person wait for less. Further calls are refused immediately. */
export const WAITING_MAX = 100;

const countOf = (lines: readonly string[], line: string) => lines.filter((one) => one === line).length;

/**
 * Counts a call to the console against the person's quota. Each process counts for itself: it has its own connections to
 * share, and counts in Postgres would cost the database a write per call.
 * @throws DomainError `rate_limited`; `Retry-After` is added to the reply
 */
export function countStaffCall(ctx: Pick<RequestContext, "replyHeaders">, email: string): void {
  countCall(ctx, "console", settings().CONSOLE_RATE_LIMIT_PER_MINUTE, email);
}

/**
 * The same for a call without a session that has not ended. The Node host counts those without a session cookie before.
 * @throws DomainError `rate_limited`
 */
export function countStrangersCall(ctx: Pick<RequestContext, "replyHeaders" | "clientAddress">): void {
  countCall(ctx, "page", settings().PAGE_RATE_LIMIT_PER_MINUTE, ctx.clientAddress);
}

function countCall(
  ctx: Pick<RequestContext, "replyHeaders">,
  policy: "console" | "page",
  perMinute: number,
  caller: string,
): void {
  if (perMinute === 0) return;
  const max = perWindow(perMinute);
  const waitSeconds = overQuota(`calls: ${policy}`, max, caller);
  if (waitSeconds === null) return;
  processMetrics()?.rateLimited.inc({ policy });
  throw retryIn(ctx, waitSeconds, `Rate limit exceeded: ${max} requests per ${WINDOW_SECONDS} seconds.`);
}

function retryIn({ replyHeaders }: Pick<RequestContext, "replyHeaders">, seconds: number, reason: string) {
  replyHeaders.set("Retry-After", String(seconds));
  return rateLimited(reason, seconds);
}

const lines = () =>
  single(
    "lines",
    () =>
      new Turns<string>({
        fits: (running, line) => countOf(running, line) < RUNNING_MAX,
        mayWait: (waiting, line) => countOf(waiting, line) < WAITING_MAX,
        waitMsMax: settings().DATABASE_TIMEOUT_SECONDS * 1000,
      }),
  );

/**
 * Runs a call when fewer than `RUNNING_MAX` of the same line are running.
 * @param line a person's queries, changes or long calls
 * @throws DomainError `rate_limited` when its turn does not come within the database's time limit, or too many calls wait
 *   already. It then never runs.
 */
export const inTurn = <T>(
  ctx: Pick<RequestContext, "replyHeaders">,
  line: string,
  call: () => Promise<T>,
): Promise<T> => lines().run(line, call, () => retryIn(ctx, 1, "Earlier requests are still running."));
