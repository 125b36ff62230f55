import { createHash, randomInt } from "node:crypto";
import { audited, contractTarget } from "@/server/audit/audited";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { contractNotFound } from "@/server/ledger/accounts";
import { DomainError } from "@/terms/problems";

export const TOKEN_SCOPES = ["batches:read", "batches:write", "batches:reverse"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
/** What a token may do by default. Taking points back must be chosen. */
export const DEFAULT_SCOPES = ["batches:read", "batches:write"] as const satisfies readonly TokenScope[];

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORMAT = /^(ptb|pto)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** `access`: created by staff for a contract. `operator`: issued for its operator's signature. */
export type TokenKind = "access" | "operator";
const PREFIXES = { access: "ptb", operator: "pto" } as const satisfies Record<TokenKind, string>;

/** A prefix, 30 random base62 characters (178 bits), and a checksum of 6 that detects copying errors. */
export function makeToken(kind: TokenKind): string {
  const prefix = PREFIXES[kind];
  const body = Array.from({ length: BODY_LENGTH }, () => ALPHABET[randomInt(62)]).join("");
  return `${prefix}_${body}${checksum(prefix, body)}`;
}

/** Null without the right form and checksum. Does not check whether the token exists. */
export function tokenKind(token: string): TokenKind | null {
  const [, prefix = "", body = "", check] = FORMAT.exec(token) ?? [];
  if (checksum(prefix, body) !== check) return null;
  return prefix === PREFIXES.operator ? "operator" : "access";
}

const PREFIXED = /pt[bo]_/;
const UNPREFIXED = /^[0-9A-Za-z]{36}$/;
/** Characters of a token that may be seen: the others would still take 62^18 guesses. */
const SEEN_MAX = 12;

/** Whether a text has a token in it, also without its prefix, or a part of the one it was sent with. */
export function revealsToken(text: string, authorization: string | null): boolean {
  const isToken = (part: string) =>
    UNPREFIXED.test(part) && Object.values(PREFIXES).some((prefix) => tokenKind(`${prefix}_${part}`));
  return (
    PREFIXED.test(text) ||
    partsOf(text, SEEN_MAX + 1).some((part) => authorization?.includes(part)) ||
    partsOf(text, BODY_LENGTH + CHECK_LENGTH).some(isToken)
  );
}

/** Every part of a text that has this length. */
const partsOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));

export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** The last characters are stored to identify a token. They are part of the checksum and reveal nothing. */
export const tokenSuffix = (token: string): string => token.slice(-4);

function checksum(prefix: string, body: string): string {
  let rest = createHash("sha256").update(`${prefix}_${body}`).digest().readUIntBE(0, 6);
  let out = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    out += ALPHABET[rest % 62];
    rest = Math.floor(rest / 62);
  }
  return out;
}

export interface ListedToken {
  id: string;
  name: string;
  /** Last characters; null for a token created before they were stored. */
  end: string | null;
  scopes: TokenScope[];
  createdBy: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** By the database's clock, as for requests. */
  state: "active" | "expired" | "revoked";
}

const TOKENS_MAX = 200;

/** The access tokens of a contract, active ones first, then newest first. */
export async function listTokens(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<ListedToken[]> {
  const rows = await ctx.db.sql<ListedToken[]>`
    select id, name, token_end as "end", scopes, created_by as "createdBy", created_at as "createdAt",
      expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt",
      case
        when revoked_at is not null then 'revoked'
        when expires_at <= now() then 'expired'
        else 'active'
      end as state
    from access_tokens where contract_address = ${addressToBytes(input.contractAddress)}
    order by (revoked_at is null and coalesce(expires_at > now(), true)) desc, created_at desc, id
    limit ${TOKENS_MAX}`;
  return rows.map((row) => withTimes(row, "createdAt", "expiresAt", "lastUsedAt", "revokedAt"));
}

export interface NewToken {
  contractAddress: string;
  name: string;
  scopes: TokenScope[];
  expiresAt: string | null;
}

/** The token is never shown again. @throws DomainError `contract_not_found` */
export async function createAccessToken(
  ctx: ServiceContext,
  input: NewToken,
): Promise<{ token: string; id: string }> {
  const token = makeToken("access");
  const contract = addressToBytes(input.contractAddress);
  const { sql } = ctx.db;
  const scopes = input.scopes.join(" ");
  const detail = sql`jsonb_build_object('name', ${input.name}::text, 'scopes', ${scopes}::text)`;
  const target = contractTarget(input.contractAddress);
  const [row] = await sql<{ id: string }[]>`
    with made as (
      insert into access_tokens (token_hash, token_end, contract_address, name, scopes, created_by,
        expires_at)
      select ${hashToken(token)}::bytea, ${tokenSuffix(token)}, address, ${input.name},
        string_to_array(${scopes}::text, ' '), ${ctx.actor}, ${input.expiresAt}::timestamptz
      from contracts where address = ${contract}
      returning id
    ), ${audited(ctx, { action: "token.create", target, detail, of: "made" })}
    select id from made`;
  if (!row) throw contractNotFound(input.contractAddress);
  return { token, id: row.id };
}

export type RevokeToken = { contractAddress: string; tokenId: string };

/**
 * Revokes a token, so that the next request with it is refused. Idempotent. On Citus the token table is
 * local, and a statement can change it together with the audit log only if the audit row comes last.
 * @throws DomainError `not_found`
 */
export async function revokeToken(ctx: ServiceContext, input: RevokeToken): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const [revoked] = await ctx.db.sql`
    with revoked as (
      update access_tokens set revoked_at = now()
      where id = ${input.tokenId}::uuid and contract_address = ${contract} and revoked_at is null
      returning name
    )
    insert into audit_log (actor, action, target, detail, request_id)
    select ${ctx.actor}, 'token.revoke', ${contractTarget(input.contractAddress)},
      jsonb_build_object('name', name, 'token', ${input.tokenId}::text), ${ctx.requestId}
    from revoked
    returning 1`;
  if (revoked) return;
  const [known] = await ctx.db.sql`
    select 1 from access_tokens where id = ${input.tokenId}::uuid and contract_address = ${contract}`;
  if (!known) throw new DomainError("not_found", "The contract has no token with this ID.");
}
