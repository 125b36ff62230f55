import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";

export interface RevokeToken {
  contractAddress: string;
  tokenId: string;
}

/**
 * Revokes a token, so that the next request with it is refused. Idempotent. On Citus the token table is local, and a statement
 * can change it together with the audit log only if the audit row comes last.
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
    select ${ctx.actor}, 'token.revoke', ${`contract:${input.contractAddress.toLowerCase()}`},
      jsonb_build_object('name', name, 'token', ${input.tokenId}::text), ${ctx.requestId}
    from revoked
    returning 1`;
  if (revoked) return;
  const [known] = await ctx.db.sql`
    select 1 from access_tokens where id = ${input.tokenId}::uuid and contract_address = ${contract}`;
  if (!known) throw new DomainError("not_found", "The contract has no token with this ID.");
}
