import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
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
  /** By the database's clock, as for requests. */
  state: "active" | "expired" | "revoked";
}

/** Maximum number of tokens listed. Active ones come first. */
const TOKENS_MAX = 200;

/** The access tokens of a contract, active ones first, then newest first. */
export async function listTokens(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<ListedToken[]> {
  const rows = await ctx.db.sql<ListedToken[]>`
    select id, name, token_end as "end", scopes, created_by as "createdBy", created_at as "createdAt",
      expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt",
      case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end
      as state
    from access_tokens where contract_address = ${addressToBytes(input.contractAddress)}
    order by (revoked_at is null and coalesce(expires_at > now(), true)) desc, created_at desc, id
    limit ${TOKENS_MAX}`;
  return rows.map((row) => ({
    ...row,
    createdAt: toTimestamp(row.createdAt),
    expiresAt: row.expiresAt && toTimestamp(row.expiresAt),
    lastUsedAt: row.lastUsedAt && toTimestamp(row.lastUsedAt),
    revokedAt: row.revokedAt && toTimestamp(row.revokedAt),
  }));
}
