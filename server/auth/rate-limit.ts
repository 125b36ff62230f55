import type { Database } from "@/db/client";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { rateLimited } from "../kernel/retry-later";
import { type Settings, settings } from "../kernel/settings";
import type { ReplyHeaders, RequestContext } from "../kernel/trpc-context";

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;

/** The setting of each limit, and what it counts. `token` limits each access token or operator, the others each client IP address. */
const POLICIES = {
  token: ["RATE_LIMIT_PER_MINUTE", "requests"],
  "token-failure": ["TOKEN_FAILURES_PER_MINUTE", "requests with invalid tokens from this address"],
  "sign-in": ["SIGN_IN_RATE_LIMIT_PER_MINUTE", "requests from this address"],
  "sign-in-failure": ["SIGN_IN_FAILURES_PER_MINUTE", "failed sign-ins from this address"],
  public: ["PUBLIC_RATE_LIMIT_PER_MINUTE", "requests from this address"],
} as const satisfies Record<string, [setting: keyof Settings, counted: string]>;
export type LimitPolicy = keyof typeof POLICIES;

/** How many a window allows; 0 for no limit. */
export const quotaOf = (policy: LimitPolicy): number => settings()[POLICIES[policy][0]];

const BLOCKED_MAX = 10_000;
/** Callers over a limit are refused from memory until their window ends, so that a flood costs the database nothing. */
const blockedOf = new WeakMap<Database, Map<LimitPolicy, Map<string, number>>>();

/**
 * Counts a request and adds `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) to the reply. The
 * counts are in Postgres, so that all instances share them.
 * @throws DomainError `rate_limited` with `Retry-After`
 */
export async function countRequest(
  ctx: Pick<RequestContext, "db" | "replyHeaders">,
  policy: "sign-in" | "public",
  caller: string,
): Promise<void> {
  if (quotaOf(policy) === 0) return;
  setRateLimitHeaders(policy, await addToWindow(ctx.db, policy, caller), ctx.replyHeaders);
}

/** The window of a caller over its limit, as far as this process knows; null otherwise. Costs nothing. */
export function overLimit(db: Database, policy: LimitPolicy, caller: string): Counted | null {
  const until = blockedIn(db, policy).get(caller) ?? Number.NEGATIVE_INFINITY;
  const msLeft = until - performance.now();
  return msLeft > 0 ? { points: quotaOf(policy) + 1, msLeft } : null;
}

/** Remembers a caller if its window is over the limit. */
export function noteWindow(db: Database, policy: LimitPolicy, caller: string, counted: Counted): void {
  if (counted.points <= quotaOf(policy)) return;
  const blocked = blockedIn(db, policy);
  if (blocked.size >= BLOCKED_MAX) blocked.clear();
  blocked.set(caller, performance.now() + counted.msLeft);
}

/**
 * Counts a failure after the fact. Successes cost and count nothing.
 * @throws DomainError `rate_limited` with `Retry-After`, instead of the failure, when there were too many
 */
export async function countFailed(
  ctx: Pick<RequestContext, "db" | "replyHeaders">,
  policy: "token-failure" | "sign-in-failure",
  caller: string,
): Promise<void> {
  if (quotaOf(policy) === 0) return;
  const counted = await addToWindow(ctx.db, policy, caller);
  if (counted.points > quotaOf(policy)) setRateLimitHeaders(policy, counted, ctx.replyHeaders);
}

/** Requests in the current window, including this one, and the time until the window ends. */
export interface Counted {
  points: number;
  msLeft: number;
}

/** Adds a count to the reply's headers. @throws DomainError `rate_limited` with `Retry-After` */
export function setRateLimitHeaders(policy: LimitPolicy, counted: Counted, replyHeaders: ReplyHeaders): void {
  const quota = quotaOf(policy);
  const resetSeconds = Math.max(1, Math.ceil(counted.msLeft / 1000));
  const remaining = Math.max(0, quota - counted.points);
  replyHeaders.set("RateLimit-Policy", `"${policy}";q=${quota};w=${WINDOW_SECONDS}`);
  replyHeaders.set("RateLimit", `"${policy}";r=${remaining};t=${resetSeconds}`);
  if (counted.points > quota) {
    processMetrics()?.rateLimited.inc({ policy });
    const reason = `Rate limit exceeded: ${quota} ${POLICIES[policy][1]} per ${WINDOW_SECONDS} seconds.`;
    throw rateLimited(reason, resetSeconds);
  }
}

/**
 * When the windows of callers over a limit end, by the monotonic clock, so a changed system clock does not matter. Each policy
 * has its own map, so that many callers of one push out none of another.
 */
function blockedIn(db: Database, policy: LimitPolicy): Map<string, number> {
  const policies = blockedOf.get(db) ?? new Map<LimitPolicy, Map<string, number>>();
  const blocked = policies.get(policy) ?? new Map<string, number>();
  blockedOf.set(db, policies.set(policy, blocked));
  return blocked;
}

const keyOf = (policy: LimitPolicy, caller: string) => `${policy}:${caller}`;

/** When a window ends that begins now, as stored: milliseconds by the database's clock, so that all instances agree. */
export const windowEnd = ({ sql }: Database) =>
  sql`(extract(epoch from now()) * 1000)::bigint + ${WINDOW_MS}::int`;

/**
 * The end of an insert into `rate_limits as r` that adds to each caller's window, or begins a new one if that has ended.
 * It returns `key`, `points` and `msLeft`.
 */
export const addToWindows = ({ sql }: Database) => sql`
  on conflict (key) do update set
    points = case when r.expire <= excluded.expire - ${WINDOW_MS}::int then excluded.points else r.points + excluded.points end,
    expire = case when r.expire <= excluded.expire - ${WINDOW_MS}::int then excluded.expire else r.expire end
  returning key, points, (expire - (extract(epoch from now()) * 1000)::bigint)::int as "msLeft"`;

async function addToWindow(db: Database, policy: LimitPolicy, caller: string): Promise<Counted> {
  const over = overLimit(db, policy, caller);
  if (over) return over;
  const [counted] = await db.sql<[Counted]>`
    insert into rate_limits as r (key, points, expire) values (${keyOf(policy, caller)}, 1, ${windowEnd(db)}) ${addToWindows(db)}`;
  noteWindow(db, policy, caller, counted);
  return counted;
}
