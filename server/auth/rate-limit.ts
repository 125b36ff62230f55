import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "@/db/client";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import type { ReplyHeaders, RequestContext } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";

const WINDOW_SECONDS = 60;

/** `token` limits each access token or operator; `sign-in` limits wallet sign-in by client IP address. */
export type LimitPolicy = "token" | "sign-in";
/** Wrong passwords are limited by client IP address and by email. */
export type FailurePolicy = "password-client" | "password-email";
type Limiters = Partial<Record<LimitPolicy | FailurePolicy, RateLimiterPostgres>>;

interface Quota {
  points: number;
  windowSeconds: number;
}

const limitersOf = new WeakMap<Database, Limiters>();

/**
 * Counts a request and adds `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) to the reply. The
 * counts are in Postgres, so that all instances share them.
 * @throws DomainError `rate_limited` with `Retry-After`
 */
export async function countRequest(
  ctx: Pick<RequestContext, "db" | "replyHeaders">,
  policy: Exclude<LimitPolicy, "token">,
  caller: string,
): Promise<void> {
  const quota = quotaOf(policy);
  if (quota.points === 0) return;
  const { points, msLeft } = await consume(limiter(ctx.db, policy, quota), caller);
  setRateLimitHeaders(policy, { points, msLeft }, ctx.replyHeaders);
}

/** Requests in the current window, including this one, and the time until the window ends. */
export interface Counted {
  points: number;
  msLeft: number;
}

const resetSecondsOf = ({ msLeft }: Counted) => Math.max(1, Math.ceil(msLeft / 1000));

const seconds = (count: number) => `${count} ${count === 1 ? "second" : "seconds"}`;

/** Adds a count to the reply's headers. @throws DomainError `rate_limited` with `Retry-After` */
export function setRateLimitHeaders(policy: LimitPolicy, counted: Counted, replyHeaders: ReplyHeaders): void {
  const { points, windowSeconds } = quotaOf(policy);
  const resetSeconds = resetSecondsOf(counted);
  const remaining = Math.max(0, points - counted.points);
  replyHeaders.set("RateLimit-Policy", `"${policy}";q=${points};w=${windowSeconds}`);
  replyHeaders.set("RateLimit", `"${policy}";r=${remaining};t=${resetSeconds}`);
  if (counted.points > points) {
    processMetrics()?.rateLimited.inc({ policy });
    throw new DomainError(
      "rate_limited",
      `Rate limit exceeded: ${points} requests per ${seconds(windowSeconds)}. Retry in ${seconds(resetSeconds)}.`,
      { headers: { "Retry-After": String(resetSeconds) } },
    );
  }
}

/**
 * Counts an attempt as failed before its outcome is known, so that concurrent attempts cannot exceed the limit together.
 * Returns a function that takes the count back after a success.
 * @throws DomainError `rate_limited` with `Retry-After`, the seconds until the window ends
 */
export async function countFailure(
  db: Database,
  policy: FailurePolicy,
  caller: string,
): Promise<() => Promise<void>> {
  const quota = quotaOf(policy);
  if (quota.points === 0) return async () => undefined;
  const failures = limiter(db, policy, quota);
  const counted = await consume(failures, caller);
  if (counted.points > quota.points) {
    processMetrics()?.rateLimited.inc({ policy });
    const resetSeconds = resetSecondsOf(counted);
    throw new DomainError("rate_limited", `Too many failed attempts. Retry in ${seconds(resetSeconds)}.`, {
      headers: { "Retry-After": String(resetSeconds) },
    });
  }
  return async () => void (await failures.reward(caller));
}

async function consume(counter: RateLimiterPostgres, caller: string): Promise<Counted> {
  const { counted, isRefused } = await counter.consume(caller).then(
    (counted) => ({ counted, isRefused: false }),
    (counted: unknown) => {
      if (counted instanceof RateLimiterRes) return { counted, isRefused: true };
      throw counted;
    },
  );
  // When the library refuses from memory, it does not report the count.
  const points = isRefused ? counter.points + 1 : counter.points - counted.remainingPoints;
  return { points, msLeft: counted.msBeforeNext };
}

export function quotaOf(policy: LimitPolicy | FailurePolicy): Quota {
  const given = settings();
  const failures = { windowSeconds: given.PASSWORD_FAILURES_WINDOW_SECONDS };
  const quotas: Record<LimitPolicy | FailurePolicy, Quota> = {
    token: { points: given.RATE_LIMIT_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
    "sign-in": { points: given.SIGN_IN_RATE_LIMIT_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
    "password-client": { points: given.PASSWORD_FAILURES_PER_CLIENT, ...failures },
    "password-email": { points: given.PASSWORD_FAILURES_PER_EMAIL, ...failures },
  };
  return quotas[policy];
}

function limiter(db: Database, policy: LimitPolicy | FailurePolicy, quota: Quota): RateLimiterPostgres {
  const limiters = limitersOf.get(db) ?? {};
  limitersOf.set(db, limiters);
  limiters[policy] ??= new RateLimiterPostgres({
    storeClient: { query: ({ text, values }: Statement) => runStatement(db, text, values) },
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: policy,
    points: quota.points,
    duration: quota.windowSeconds,
    // A caller over the limit is refused from memory until its window ends, at no cost to the database.
    inMemoryBlockOnConsumed: quota.points + 1,
  });
  return limiters[policy];
}

interface Statement {
  text: string;
  values: (string | number)[];
}

/** The limiter writes its statements for another driver: `$1` placeholders with an array of values, and `rows` in the result. */
async function runStatement(db: Database, text: string, values: (string | number)[]) {
  const rows = await db.sql.unsafe(text, values, { prepare: db.sql.options.prepare });
  return { rows: rows.map((row) => ({ ...row, expire: Number(row.expire) })), rowCount: rows.count };
}
