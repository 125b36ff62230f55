import { processMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import { single } from "../kernel/single";
import type { RequestContext } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";
import { WindowQuota } from "../kernel/window-quota";

/** The quota per minute is counted in shorter windows, so that it cannot be used up in one burst. */
const WINDOW_SECONDS = 10;
const WINDOWS_PER_MINUTE = 60 / WINDOW_SECONDS;

/**
 * How many calls of one person run at a time. The others wait. With two, counting a busy recipient on two cores made another
 * contract's p99 grow 2.1 to 2.5 times; with one 1.1 to 1.8 times (`npm run faults -- hostile-viewer`).
 */
export const RUNNING_MAX = 1;

/**
 * Counts a call to the console against the person's quota. Counted in this process and by its own clock: each process has its
 * own connections to share, and a count in Postgres would cost the database a write for every call that it should be spared.
 * @throws DomainError `rate_limited`; `Retry-After` is added to the reply
 */
export function countStaffCall(ctx: Pick<RequestContext, "replyHeaders">, email: string): void {
  const perMinute = settings().CONSOLE_RATE_LIMIT_PER_MINUTE;
  if (perMinute === 0) return;
  const points = Math.ceil(perMinute / WINDOWS_PER_MINUTE);
  const waitSeconds = single("staff calls", () => new WindowQuota(points, WINDOW_SECONDS)).count(email);
  if (waitSeconds === null) return;
  processMetrics()?.rateLimited.inc({ policy: "console" });
  throw retryIn(ctx, waitSeconds, `You sent more than ${points} requests in ${WINDOW_SECONDS} seconds.`);
}

function retryIn({ replyHeaders }: Pick<RequestContext, "replyHeaders">, seconds: number, reason: string) {
  replyHeaders.set("Retry-After", String(seconds));
  return new DomainError(
    "rate_limited",
    `${reason} Retry in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    {
      headers: { "Retry-After": String(seconds) },
    },
  );
}

interface Line {
  running: number;
  waiting: (() => void)[];
}

const lines = () => single("lines", () => new Map<string, Line>());

/**
 * Runs a call when fewer than `RUNNING_MAX` of the same line are running.
 * @param name a person's email, or what strangers share
 * @throws DomainError `rate_limited` when its turn does not come within the database's time limit. It then never runs.
 */
export async function inTurn<T>(
  ctx: Pick<RequestContext, "replyHeaders">,
  name: string,
  call: () => Promise<T>,
): Promise<T> {
  const line = lines().get(name) ?? { running: 0, waiting: [] };
  lines().set(name, line);
  if (line.running < RUNNING_MAX) line.running++;
  else await waitIn(line, ctx);
  try {
    return await call();
  } finally {
    // The next one takes over the place.
    const next = line.waiting.shift();
    if (next) next();
    else if (--line.running === 0) lines().delete(name);
  }
}

function waitIn(line: Line, ctx: Pick<RequestContext, "replyHeaders">): Promise<void> {
  const seconds = settings().DATABASE_TIMEOUT_SECONDS;
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      line.waiting.splice(line.waiting.indexOf(start), 1);
      reject(retryIn(ctx, 1, `Earlier requests took longer than ${seconds} seconds.`));
    }, seconds * 1000);
    line.waiting.push(start);
  });
}
