import type { Database } from "@/db/client";
import { enterWorkerOf } from "@/server/distribution/silent-workers";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { bearerToken } from "@/server/kernel/bearer-secret";
import { Coalescer } from "@/server/kernel/coalescer";
import type { RequestContext, TokenHolder } from "@/server/kernel/context";
import { log } from "@/server/kernel/log";
import { perDatabase } from "@/server/kernel/process";
import { isDistributed } from "@/server/kernel/shards";
import { contractNotFound } from "@/server/ledger/accounts";
import { addressError, addressKey } from "@/terms/address-text";
import { DomainError } from "@/terms/problems";
import {
  ADD_TO_WINDOWS,
  type Counted,
  noteWindow,
  overLimit,
  quotaOf,
  requireFewFailures,
  setRateLimitHeaders,
  tokenFailed,
  tokenIsValid,
  WINDOW_END,
} from "./limits";
import { DEFAULT_SCOPES, hashToken, type TokenKind, type TokenScope, tokenKind } from "./tokens";

export interface ContractCaller extends TokenHolder {
  /** Who created the access token; null for an operator's. */
  tokenCreatedBy: string | null;
  scopes: readonly string[];
}

const CHALLENGE = { "WWW-Authenticate": 'Bearer realm="point-transfer-batches"' };

/**
 * @param isAgain whether this request has been counted before
 * @throws DomainError `missing_token`, `invalid_token`, `expired_token`, `rate_limited`
 */
export async function admitCaller(
  ctx: Pick<RequestContext, "db" | "authorization" | "clientAddress" | "replyHeaders" | "foundHolder">,
  isAgain = false,
): Promise<ContractCaller> {
  const { db, authorization } = ctx;
  if (!authorization)
    throw new DomainError("missing_token", "Send the header `Authorization: Bearer <token>`.", {
      headers: CHALLENGE,
    });
  const token = bearerToken(authorization);
  if (token === null) throw unknownToken(BEARER_FORM);
  const kind = tokenKind(token);
  // A malformed token costs no lookup, so it is not counted.
  if (!kind) throw unknownToken();
  const hash = hashToken(token).toString("hex");
  requireFewFailures(ctx, hash);
  const found = await findCaller(db, kind, hash, isAgain);
  const holder = found && holderOf(found, kind);
  if (holder) ctx.foundHolder?.(holder);
  if (!found || found.ended) await tokenFailed(ctx, hash);
  if (!found || !holder) throw unknownToken();
  if (found.ended) {
    const why = kind === "access" ? `The access token ${found.ended}.` : OPERATOR_TOKEN_EXPIRED;
    throw new DomainError("expired_token", why, { headers: INVALID_TOKEN });
  }
  tokenIsValid(db, hash);
  if (found.counted && !isAgain) setRateLimitHeaders("token", found.counted, ctx.replyHeaders);
  return { ...holder, tokenCreatedBy: found.created_by, scopes: found.scopes ?? DEFAULT_SCOPES };
}

const holderOf = (found: CallerRow, kind: TokenKind): TokenHolder => ({
  contractKey: `0x${found.contract_address.toString("hex")}`,
  tokenId: kind === "access" ? found.caller_id : null,
  actor: found.operator_address
    ? `operator:${addressFromBytes(found.operator_address)}`
    : `token:${found.name}`,
});

const OPERATOR_TOKEN_EXPIRED = "The token expired, or the contract has a new operator.";

/** @throws DomainError `contract_not_found`, `wrong_contract`, `missing_scope` */
export async function authorizeContract(
  db: Database,
  caller: ContractCaller,
  contractAddress: unknown,
  scope: TokenScope,
): Promise<void> {
  // A malformed address is left to input validation, which reports what is wrong with it.
  const isAddress = typeof contractAddress === "string" && addressError(contractAddress) === null;
  if (isAddress && addressKey(contractAddress) !== caller.contractKey) {
    const known = await db.sql`select 1 from contracts where address = ${addressToBytes(contractAddress)}`;
    if (known.length === 0) throw contractNotFound(contractAddress);
    const own = addressFromBytes(addressToBytes(caller.contractKey));
    throw new DomainError("wrong_contract", `The token is only valid for contract ${own}.`);
  }
  if (!caller.scopes.includes(scope))
    throw new DomainError("missing_scope", `The token lacks the required scope: ${scope}.`);
}

const BEARER_FORM =
  "The header must be `Authorization: Bearer <token>`: the word Bearer, a space and the token.";
const unknownToken = (detail = "The access token is malformed or unknown.") =>
  new DomainError("invalid_token", detail, { headers: INVALID_TOKEN });
export const INVALID_TOKEN = {
  "WWW-Authenticate": `${CHALLENGE["WWW-Authenticate"]}, error="invalid_token"`,
};

interface CallerRow {
  /** SHA-256 of the token, hex. */
  hash: string;
  caller_id: string;
  name: string | null;
  created_by: string | null;
  contract_address: Buffer;
  operator_address: Buffer | null;
  /** Null means the default scopes, `batches:read` and `batches:write`. */
  scopes: string[] | null;
  /** Why it no longer works; null while it does. */
  ended: "expired" | "was revoked" | null;
  use_is_stale: boolean;
}

/** The window with all requests of this statement. Null when none of this token's were counted. */
type WindowRow = Counted | { points: null; msLeft: null };

/** `counted` is the window with this request; null without a rate limit, or when the token has ended. */
export type FoundCaller = CallerRow & { counted: Counted | null };

/** A check that counts may wait for another one's count, and its answer is from before that. */
const findersOf = perDatabase((db) => {
  const finder = (kind: TokenKind, counts: boolean) =>
    new Coalescer((hashes: string[]) => findAll(db, kind, hashes, counts));
  return {
    access: finder("access", true),
    operator: finder("operator", true),
    "access again": finder("access", false),
    "operator again": finder("operator", false),
  };
});

/**
 * Finds the holder of a token and, the first time, counts the request in one statement, which concurrent
 * requests share. Needed by "submit 10 at 16" in docs/benchmarks.md: a round trip costs more than a small
 * request's checks.
 * Expiry follows the database's clock.
 * @param hash SHA-256 of the token, hex
 */
export async function findCaller(
  db: Database,
  kind: TokenKind,
  hash: string,
  isAgain = false,
): Promise<FoundCaller | null> {
  const found = await findersOf(db)[isAgain ? (`${kind} again` as const) : kind].ask(hash);
  if (!found || kind === "access" || !(await isDistributed(db))) return found;
  return { ...found, ended: found.ended ?? ((await isStillOperator(db, found)) ? null : "was revoked") };
}

async function findAll(
  db: Database,
  kind: TokenKind,
  hashes: string[],
  counts: boolean,
): Promise<(FoundCaller | null)[]> {
  const source = kind === "access" ? "access" : (await isDistributed(db)) ? "operator routed" : "operator";
  const over = new Map(hashes.map((hash) => [hash, overLimit(db, "token", hash)]));
  const requests = new Map<string, number>();
  for (const hash of hashes) {
    const count = counts && !over.get(hash) && quotaOf("token") > 0 ? 1 : 0;
    requests.set(hash, (requests.get(hash) ?? 0) + count);
  }
  const values = [`{${[...requests.keys()]}}`, `{${[...requests.values()]}}`];
  const { prepare } = db.sql.options;
  const rows = await db.sql.unsafe<(CallerRow & WindowRow)[]>(CALLERS[source], values, { prepare });
  for (const row of rows) if (row.use_is_stale && !row.ended) noteUse(db, row.caller_id);
  const found = new Map(rows.map((row) => [row.hash, row]));
  // The last request gets the full count, the one before it one less, and so on.
  const countOf = new Map<string, number>();
  return hashes
    .toReversed()
    .map((hash) => {
      const row = found.get(hash);
      return row ? { ...row, counted: countOfRequest(db, row, countOf, over.get(hash)!) } : null;
    })
    .toReversed();
}

/** @param over the window of a token that was over the limit before, and so not counted */
function countOfRequest(
  db: Database,
  row: CallerRow & WindowRow,
  countOf: Map<string, number>,
  over: Counted | null,
): Counted | null {
  if (quotaOf("token") === 0 || row.ended) return null;
  if (row.points === null) return over;
  const counted = { points: countOf.get(row.caller_id) ?? row.points, msLeft: row.msLeft };
  countOf.set(row.caller_id, counted.points - 1);
  noteWindow(db, "token", row.hash, counted);
  return counted;
}

const ACCESS_CALLERS = `
  select token_hash, requests, id::text as caller_id, name, created_by,
    contract_address, null::bytea as operator_address, scopes,
    case when revoked_at is not null then 'was revoked' when expires_at <= now() then 'expired' end as ended,
    coalesce(last_used_at < now() - interval '1 minute', true) as use_is_stale
  from asked join access_tokens using (token_hash)`;

/** An operator's token is valid for an hour, and only while the operator is the contract's operator. */
const operatorCallers = (isOther: string, contract: string) => `
  select token_hash, requests,
    concat('0x', encode(t.operator_address, 'hex'), '@0x', encode(t.contract_address, 'hex')) as caller_id,
    null as name, null as created_by, t.contract_address, t.operator_address, null::text[] as scopes,
    case when t.expires_at <= now() then 'expired' when ${isOther} then 'was revoked' end as ended,
    false as use_is_stale
  from operator_tokens t ${contract} join asked using (token_hash)`;

/** Rows are written in key order, so that statements cannot deadlock. */
const readingAndCounting = (callers: string) => `
  with asked as (
    select decode(hash, 'hex') as token_hash, requests
    from unnest($1::text::text[], $2::text::int[]) as a (hash, requests)
  ), caller as (${callers}
  ), counted as (
    insert into rate_limits as r (key, points, expire)
    select 'token:' || caller_id, sum(requests), ${WINDOW_END} from caller
    where ended is null and requests > 0 group by caller_id order by caller_id
    ${ADD_TO_WINDOWS}
  )
  select encode(token_hash, 'hex') as hash, caller_id, name, created_by, contract_address, operator_address,
    scopes, ended, use_is_stale, counted.points, counted."msLeft"
  from caller left join counted on requests > 0 and counted.key = 'token:' || caller_id`;

/** Built once, not per request: "submit 1 at 16" in docs/benchmarks.md. */
const CALLERS = {
  access: readingAndCounting(ACCESS_CALLERS),
  operator: readingAndCounting(
    operatorCallers(
      "c.operator_address is distinct from t.operator_address",
      "left join contracts c on c.address = t.contract_address",
    ),
  ),
  /** On Citus `isStillOperator` asks the contract's worker: one that is down locks out no others. */
  "operator routed": readingAndCounting(operatorCallers("false", "")),
};

async function isStillOperator(db: Database, caller: CallerRow): Promise<boolean> {
  const leave = await enterWorkerOf(db, `0x${caller.contract_address.toString("hex")}`);
  try {
    const [contract] = await db.sql`
      select 1 as found from contracts
      where address = ${caller.contract_address} and operator_address = ${caller.operator_address}`;
    leave();
    return contract !== undefined;
  } catch (error) {
    leave(error);
    throw error;
  }
}

/** At most once a minute per token. No caller waits for it, since a lost update does no harm. */
function noteUse(db: Database, tokenId: string): void {
  db.sql`update access_tokens set last_used_at = now() where id = ${tokenId}`.catch((error: unknown) =>
    log().debug({ error }, "the last use of a token was not stored"),
  );
}
