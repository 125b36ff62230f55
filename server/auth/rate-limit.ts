import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "@/db/client";
import { DomainError } from "../problems";
import { settings } from "../settings";
import type { RequestContext } from "../trpc/context";

const WINDOW_SECONDS = 60;

/** What is limited: requests of one caller of a contract, and requests to sign in from one client address. */
export type LimitPolicy = "token" | "sign-in";
type Limiters = Partial<Record<LimitPolicy, RateLimiterPostgres>>;

const limitersOf = new WeakMap<Database, Limiters>();

/**
 * Counts a request and adds `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) to the reply. The
 * counts stand in Postgres, so that all instances share them.
 * @throws DomainError `rate_limited` with `Retry-After`
 */
export async function countRequest(
  ctx: Pick<RequestContext, "db" | "replyHeaders">,
  policy: LimitPolicy,
  caller: string,
): Promise<void> {
  const perMinute = quotaOf(policy);
  if (perMinute === 0) return;
  const { counted, isRefused } = await limiter(ctx.db, policy, perMinute)
    .consume(caller)
    .then(
      (counted) => ({ counted, isRefused: false }),
      (counted: unknown) => {
        if (counted instanceof RateLimiterRes) return { counted, isRefused: true };
        throw counted;
      },
    );
  const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  ctx.replyHeaders.set("RateLimit-Policy", `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`);
  ctx.replyHeaders.set("RateLimit", `"${policy}";r=${counted.remainingPoints};t=${resetSeconds}`);
  if (isRefused) {
    throw new DomainError(
      "rate_limited",
      `More than ${perMinute} requests in ${WINDOW_SECONDS} seconds; go on in ${resetSeconds}.`,
      { headers: { "Retry-After": String(resetSeconds) } },
    );
  }
}

function quotaOf(policy: LimitPolicy): number {
  const { RATE_LIMIT_PER_MINUTE, SIGN_IN_RATE_LIMIT_PER_MINUTE } = settings();
  return policy === "token" ? RATE_LIMIT_PER_MINUTE : SIGN_IN_RATE_LIMIT_PER_MINUTE;
}

function limiter(db: Database, policy: LimitPolicy, perMinute: number): RateLimiterPostgres {
  const limiters = limitersOf.get(db) ?? {};
  limitersOf.set(db, limiters);
  limiters[policy] ??= new RateLimiterPostgres({
    storeClient: { query: ({ text, values }: Statement) => runStatement(db, text, values) },
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: policy,
    points: perMinute,
    duration: WINDOW_SECONDS,
    // A caller over the limit is refused from memory until its window ends: refusing costs the database nothing.
    inMemoryBlockOnConsumed: perMinute + 1,
  });
  return limiters[policy];
}

interface Statement {
  text: string;
  values: (string | number)[];
}

/** The limiter writes its statements for another driver: `$1` and an array of values, `rows` in the answer. */
async function runStatement(db: Database, text: string, values: (string | number)[]) {
  const rows = await db.sql.unsafe(text, values, { prepare: db.sql.options.prepare });
  return { rows: rows.map((row) => ({ ...row, expire: Number(row.expire) })), rowCount: rows.count };
}
