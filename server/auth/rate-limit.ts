import type { Database } from "@/db/client";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import type { ReplyHeaders, RequestContext } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";
import { BlockedCallers } from "./blocked-callers";

const WINDOW_SECONDS = 60;

/** `token` limits each access token or operator. The others limit each client IP address. */
export type LimitPolicy = "token" | "token-failure" | "sign-in" | "sign-in-failure" | "public";

interface Quota {
  points: number;
  windowSeconds: number;
}

const blockedOf = new WeakMap<Database, BlockedCallers>();

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
  const quota = quotaOf(policy);
  if (quota.points === 0) return;
  setRateLimitHeaders(policy, await addToWindow(ctx.db, policy, caller), ctx.replyHeaders);
}

/** The window of a caller over its limit, as far as this process knows; null otherwise. Costs nothing. */
export function overLimit(db: Database, policy: LimitPolicy, caller: string): Counted | null {
  const msLeft = blockedIn(db).msLeft(keyOf(policy, caller));
  return msLeft > 0 ? { points: quotaOf(policy).points + 1, msLeft } : null;
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
  const { points } = quotaOf(policy);
  if (points === 0) return;
  const counted = await addToWindow(ctx.db, policy, caller);
  if (counted.points > points) setRateLimitHeaders(policy, counted, ctx.replyHeaders);
}

/** Requests in the current window, including this one, and the time until the window ends. */
export interface Counted {
  points: number;
  msLeft: number;
}

const resetSecondsOf = ({ msLeft }: Counted) => Math.max(1, Math.ceil(msLeft / 1000));

const seconds = (count: number) => `${count} ${count === 1 ? "second" : "seconds"}`;

const COUNTED: Record<LimitPolicy, string> = {
  token: "requests",
  "token-failure": "requests with invalid tokens from this address",
  "sign-in": "requests from this address",
  "sign-in-failure": "failed sign-ins from this address",
  public: "requests from this address",
};

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
      `Rate limit exceeded: ${points} ${COUNTED[policy]} per ${seconds(windowSeconds)}. Retry in ${seconds(resetSeconds)}.`,
      { headers: { "Retry-After": String(resetSeconds) } },
    );
  }
}

function blockedIn(db: Database): BlockedCallers {
  const blocked = blockedOf.get(db) ?? new BlockedCallers();
  blockedOf.set(db, blocked);
  return blocked;
}

const keyOf = (policy: LimitPolicy, caller: string) => `${policy}:${caller}`;

/**
 * Adds one to the caller's window, which begins with its first request and follows the database's clock, so that all
 * instances agree.
 */
async function addToWindow(db: Database, policy: LimitPolicy, caller: string): Promise<Counted> {
  const { points, windowSeconds } = quotaOf(policy);
  const key = keyOf(policy, caller);
  const blocked = blockedIn(db);
  const blockedMs = blocked.msLeft(key);
  if (blockedMs > 0) return { points: points + 1, msLeft: blockedMs };
  const windowMs = windowSeconds * 1000;
  const [counted] = await db.sql<[Counted]>`
    insert into rate_limits as r (key, points, expire)
    values (${key}, 1, (extract(epoch from now()) * 1000)::bigint + ${windowMs}::int)
    on conflict (key) do update set
      points = case when r.expire <= excluded.expire - ${windowMs}::int then 1 else r.points + 1 end,
      expire = case when r.expire <= excluded.expire - ${windowMs}::int then excluded.expire else r.expire end
    returning points, (expire - (extract(epoch from now()) * 1000)::bigint)::int as "msLeft"`;
  if (counted.points > points) blocked.block(key, counted.msLeft);
  return counted;
}

export function quotaOf(policy: LimitPolicy): Quota {
  const given = settings();
  const quotas: Record<LimitPolicy, Quota> = {
    token: { points: given.RATE_LIMIT_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
    "token-failure": { points: given.TOKEN_FAILURES_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
    "sign-in": { points: given.SIGN_IN_RATE_LIMIT_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
    "sign-in-failure": { points: given.SIGN_IN_FAILURES_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
    public: { points: given.PUBLIC_RATE_LIMIT_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
  };
  return quotas[policy];
}
