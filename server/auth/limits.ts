import type { Database } from "@/db/client";
import { baseOf } from "@/db/on-errand";
import type { ReplyHeaders, RequestContext } from "@/server/kernel/context";
import { lineSeconds, type Pace } from "@/server/kernel/database";
import { processMetrics } from "@/server/kernel/metrics/process-metrics";
import { perDatabase, single } from "@/server/kernel/process";
import { consoleQuota, overQuota, QUOTA_WINDOW_SECONDS } from "@/server/kernel/quota";
import { rateLimited } from "@/server/kernel/retry-after";
import { type Settings, settings } from "@/server/kernel/settings";
import { turnsPerKey } from "@/server/kernel/turns";

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Each limit's setting, and what it counts. `token` is per token or operator, others per client IP. */
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
/**
 * Callers over a limit are refused from memory until their window ends by the monotonic clock, so that a
 * flood costs the database nothing. Each policy has its own map, so that many callers of one push out none of
 * another.
 */
const blockedOf = perDatabase(() => {
  const policies = Object.keys(POLICIES) as LimitPolicy[];
  return new Map(policies.map((policy) => [policy, new Map<string, number>()]));
});

/** Counts in Postgres, since all instances share a limit. @throws DomainError `rate_limited` */
export async function countAnonymousCall(
  ctx: Pick<RequestContext, "db" | "replyHeaders">,
  policy: "sign-in" | "public",
  caller: string,
): Promise<void> {
  if (quotaOf(policy) === 0) return;
  setRateLimitHeaders(policy, await addToWindow(ctx.db, policy, caller), ctx.replyHeaders);
}

/** The window of a caller over its limit, as far as this process knows; null otherwise. Costs nothing. */
export function overLimit(db: Database, policy: LimitPolicy, caller: string): Counted | null {
  const until = blockedOf(db).get(policy)!.get(caller) ?? Number.NEGATIVE_INFINITY;
  const msLeft = until - performance.now();
  return msLeft > 0 ? { points: quotaOf(policy) + 1, msLeft } : null;
}

/** Remembers a caller if its window is over the limit. */
export function noteWindow(db: Database, policy: LimitPolicy, caller: string, counted: Counted): void {
  if (counted.points <= quotaOf(policy)) return;
  const blocked = blockedOf(db).get(policy)!;
  if (blocked.size >= BLOCKED_MAX) blocked.clear();
  blocked.set(caller, performance.now() + counted.msLeft);
}

/** @throws DomainError `rate_limited` instead of the failure, when there were too many */
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
export type Counted = { points: number; msLeft: number };

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

/** When a window that begins now ends: milliseconds by the database's clock, so that all instances agree. */
export const WINDOW_END = `(extract(epoch from now()) * 1000)::bigint + ${WINDOW_MS}`;

const STARTS_ANEW = `r.expire <= excluded.expire - ${WINDOW_MS}`;
/** Ends an insert into `rate_limits as r` that counts in each caller's window. */
export const ADD_TO_WINDOWS = `
  on conflict (key) do update set
    points = case when ${STARTS_ANEW} then excluded.points else r.points + excluded.points end,
    expire = case when ${STARTS_ANEW} then excluded.expire else r.expire end
  returning key, points, (expire - (extract(epoch from now()) * 1000)::bigint)::int as "msLeft"`;

async function addToWindow(db: Database, policy: LimitPolicy, caller: string): Promise<Counted> {
  const over = overLimit(db, policy, caller);
  if (over) return over;
  // A count is none of the caller's change: that it may be stored makes no outcome unknown.
  const { sql } = baseOf(db);
  const [counted] = await sql<[Counted]>`
    insert into rate_limits as r (key, points, expire)
    values (${`${policy}:${caller}`}, 1, ${sql.unsafe(WINDOW_END)}) ${sql.unsafe(ADD_TO_WINDOWS)}`;
  noteWindow(db, policy, caller, counted);
  return counted;
}

type Asking = Pick<RequestContext, "db" | "clientAddress" | "replyHeaders">;

const REMEMBERED_MAX = 10_000;

/** What this process remembers about tokens, by hash, and about client addresses over the limit. */
const memory = perDatabase(() => ({
  valid: new Set<string>(),
  refused: new Set<string>(),
  /** Tokens looked up for an address since it went over the limit. */
  lookups: new Map<string, number>(),
}));

function remember(tokens: Set<string>, hash: string): void {
  if (tokens.size >= REMEMBERED_MAX) tokens.clear();
  tokens.add(hash);
}

/**
 * Refuses a token without a lookup when its client address has sent too many refused ones. Offices and clouds
 * share addresses, so a token that was valid recently always passes. So do unseen ones, up to the limit.
 * @throws DomainError `rate_limited` with `Retry-After`
 */
export function requireFewFailures({ db, clientAddress, replyHeaders }: Asking, hash: string): void {
  const over = overLimit(db, "token-failure", clientAddress);
  const { valid, refused, lookups } = memory(db);
  if (!over) {
    lookups.delete(clientAddress);
    return;
  }
  if (valid.has(hash)) return;
  const looked = lookups.get(clientAddress) ?? 0;
  if (refused.has(hash) || looked >= quotaOf("token-failure"))
    setRateLimitHeaders("token-failure", over, replyHeaders);
  if (lookups.size >= REMEMBERED_MAX) lookups.clear();
  lookups.set(clientAddress, looked + 1);
}

/** @throws DomainError `rate_limited` with `Retry-After`, when this one exceeds the limit */
export async function tokenFailed(asking: Asking, hash: string): Promise<void> {
  const { valid, refused } = memory(asking.db);
  valid.delete(hash);
  remember(refused, hash);
  await countFailed(asking, "token-failure", asking.clientAddress);
}

export function tokenIsValid(db: Database, hash: string): void {
  remember(memory(db).valid, hash);
}

/** Two counts of a busy recipient multiply another contract's p99 by 2.1 to 2.5, one by 1.1 to 1.8. */
export const RUNNING_MAX = 1;
/** A dozen tabs of a person wait for less. Further calls are refused immediately. */
export const WAITING_MAX = 100;

/**
 * In each process for itself: counts in Postgres would cost the database a write per call. `page` is for a
 * call without a session that has not ended; the Node host counts those without a cookie before.
 * @param caller a person's email, or a client's address
 * @throws DomainError `rate_limited`
 */
export function countCall(
  ctx: Pick<RequestContext, "replyHeaders">,
  policy: "console" | "page",
  caller: string,
): void {
  const max = consoleQuota(policy === "console");
  if (max === null) return;
  const waitSeconds = overQuota(`calls: ${policy}`, max, caller);
  if (waitSeconds === null) return;
  processMetrics()?.rateLimited.inc({ policy });
  throw retryIn(
    ctx,
    waitSeconds,
    `Rate limit exceeded: ${max} requests per ${QUOTA_WINDOW_SECONDS} seconds.`,
  );
}

function retryIn({ replyHeaders }: Pick<RequestContext, "replyHeaders">, seconds: number, reason: string) {
  replyHeaders.set("Retry-After", String(seconds));
  return rateLimited(reason, seconds);
}

const lines = (seconds: number) =>
  single(`lines of ${seconds} s`, () => turnsPerKey(RUNNING_MAX, WAITING_MAX, seconds));

/** `line` is a person's queries, changes, long or heavy calls. @throws DomainError `rate_limited` */
export const inTurn = <T>(
  ctx: Pick<RequestContext, "replyHeaders">,
  line: string,
  call: () => Promise<T>,
  pace: Pace = "quick",
): Promise<T> =>
  lines(lineSeconds(pace)).run(line, call, () => retryIn(ctx, 1, "Earlier requests are still running."));
