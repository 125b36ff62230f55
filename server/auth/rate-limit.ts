import type { Database } from "@/db/client";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import type { ReplyHeaders, RequestContext } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";
import { BlockedCallers } from "./blocked-callers";

const WINDOW_SECONDS = 60;

/** `token` limits each access token or operator; `sign-in` limits wallet sign-in by client IP address. */
export type LimitPolicy = "token" | "sign-in";

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
  policy: Exclude<LimitPolicy, "token">,
  caller: string,
): Promise<void> {
  const quota = quotaOf(policy);
  if (quota.points === 0) return;
  setRateLimitHeaders(policy, await addToWindow(ctx.db, policy, caller), ctx.replyHeaders);
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

const keyOf = (policy: LimitPolicy, caller: string) => `${policy}:${caller}`;

/**
 * Adds one to the caller's window, which begins with its first request and follows the database's clock, so that all
 * instances agree.
 */
async function addToWindow(db: Database, policy: LimitPolicy, caller: string): Promise<Counted> {
  const { points, windowSeconds } = quotaOf(policy);
  const key = keyOf(policy, caller);
  const blocked = blockedOf.get(db) ?? new BlockedCallers();
  blockedOf.set(db, blocked);
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
    "sign-in": { points: given.SIGN_IN_RATE_LIMIT_PER_MINUTE, windowSeconds: WINDOW_SECONDS },
  };
  return quotas[policy];
}
