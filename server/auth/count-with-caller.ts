import type { PendingQuery, Row } from "postgres";
import type { Database } from "@/db/client";
import type { ReplyHeaders } from "../trpc/context";
import { quotaOf, tellCount } from "./rate-limit";

/** What the statement tells of the count beside the caller; both null when nothing was counted. */
export interface CountedRow {
  counted: number | null;
  /** Milliseconds since 1970. */
  counted_until: string | null;
}

interface Count {
  /** Follows `with caller as (…)`, whose `caller_id` and `ended` it reads. */
  statement: PendingQuery<Row[]>;
  /** @throws DomainError `rate_limited` with `Retry-After` */
  end(row: CountedRow, replyHeaders: ReplyHeaders): void;
}

/** Until when tokens are over their limit, by hash, milliseconds since 1970: refusing them writes nothing. */
const blockedOf = new WeakMap<Database, Map<string, number>>();
const BLOCKED_MAX = 10_000;

/**
 * Counts a request of a contract in the statement that finds its caller, in the rows and by the rules of the library
 * that counts the rest (rate-limit.ts): windows begin with a caller's first request, by this instance's clock.
 */
export function beginCount(db: Database, tokenHash: string): Count {
  const quota = quotaOf("token");
  const blocked = blockedTokens(db);
  const now = Date.now();
  const blockedUntil = blocked.get(tokenHash) ?? 0;
  if (quota.points === 0 || blockedUntil > now) {
    return {
      statement: db.sql`select *, null as counted, null as counted_until from caller`,
      end(_row, replyHeaders) {
        if (quota.points === 0) return;
        tellCount("token", { points: quota.points + 1, msLeft: blockedUntil - now }, replyHeaders);
      },
    };
  }
  blocked.delete(tokenHash);
  const until = String(now + quota.windowSeconds * 1000);
  return {
    statement: db.sql`, counted as (
      insert into rate_limits as r (key, points, expire)
      select 'token:' || caller_id, 1, ${until}::bigint from caller where not ended
      on conflict (key) do update set
        points = case when r.expire <= ${String(now)}::bigint then 1 else r.points + 1 end,
        expire = case when r.expire <= ${String(now)}::bigint then excluded.expire else r.expire end
      returning points, expire
    )
    select caller.*, counted.points as counted, counted.expire as counted_until from caller left join counted on true`,
    end(row, replyHeaders) {
      const counted = { points: row.counted!, msLeft: Number(row.counted_until) - now };
      if (counted.points > quota.points) {
        if (blocked.size >= BLOCKED_MAX) blocked.clear();
        blocked.set(tokenHash, now + counted.msLeft);
      }
      tellCount("token", counted, replyHeaders);
    },
  };
}

function blockedTokens(db: Database): Map<string, number> {
  const known = blockedOf.get(db);
  if (known) return known;
  const blocked = new Map<string, number>();
  blockedOf.set(db, blocked);
  return blocked;
}
