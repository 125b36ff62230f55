import type { Database } from "@/db/client";
import type { RequestContext } from "../kernel/trpc-context";
import { countFailed, overLimit, quotaOf, setRateLimitHeaders } from "./rate-limit";

type Asking = Pick<RequestContext, "db" | "clientAddress" | "replyHeaders">;

const REMEMBERED_MAX = 10_000;

/** What this process remembers about tokens, by hash, and about client addresses over the limit. */
interface Memory {
  valid: Set<string>;
  refused: Set<string>;
  /** Tokens looked up for an address since it went over the limit. */
  lookups: Map<string, number>;
}

const memoryOf = new WeakMap<Database, Memory>();

function memory(db: Database): Memory {
  const kept = memoryOf.get(db) ?? { valid: new Set(), refused: new Set(), lookups: new Map() };
  memoryOf.set(db, kept);
  return kept;
}

function remember(tokens: Set<string>, hash: string): void {
  if (tokens.size >= REMEMBERED_MAX) tokens.clear();
  tokens.add(hash);
}

/**
 * Refuses a token without a lookup when its client address has sent too many refused ones. Offices and clouds share
 * addresses, so a token that was valid recently always passes. So do tokens that this process has not seen, up to the limit.
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
