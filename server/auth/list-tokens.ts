import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import type { TokenScope } from "./access-token";

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
  /** By the database's clock, which also decides about requests. */
  state: "live" | "expired" | "revoked";
}

/** Maximum number of tokens listed. Active ones come first. */
const TOKENS_MAX = 200;

interface TokenRow {
  id: string;
  name: string;
  token_end: string | null;
  scopes: TokenScope[];
  created_by: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  state: ListedToken["state"];
}

/** The access tokens of a contract, active ones first, then newest first. */
export async function listTokens(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<ListedToken[]> {
  const rows = await ctx.db.sql<TokenRow[]>`
    select id, name, token_end, scopes, created_by, created_at, expires_at, last_used_at, revoked_at,
      case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'live' end
      as state
    from access_tokens where contract_address = ${addressToBytes(input.contractAddress)}
    order by (revoked_at is null and coalesce(expires_at > now(), true)) desc, created_at desc, id
    limit ${TOKENS_MAX}`;
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    end: row.token_end,
    scopes: row.scopes,
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: row.expires_at && toTimestamp(row.expires_at),
    lastUsedAt: row.last_used_at && toTimestamp(row.last_used_at),
    revokedAt: row.revoked_at && toTimestamp(row.revoked_at),
    state: row.state,
  }));
}

const toTimestamp = (text: string) => new Date(text).toISOString();
