import type { ServiceContext } from "../context";
import { addressToBytes } from "../ledger/addresses";
import { DomainError } from "../problems";

export interface RevokeToken {
  contractAddress: string;
  tokenId: string;
}

/** Ends a token of a contract: the next request with it is refused. Again changes nothing. @throws DomainError `not_found` */
export async function revokeToken(ctx: ServiceContext, input: RevokeToken): Promise<void> {
  const [row] = await ctx.db.sql`
    with known as materialized (
      select id, name, revoked_at from access_tokens
      where id = ${input.tokenId}::uuid and contract_address = ${addressToBytes(input.contractAddress)} for update
    ), revoked as (
      update access_tokens t set revoked_at = now() from known k where t.id = k.id and k.revoked_at is null
      returning k.name
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'token.revoke', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('name', name, 'token', ${input.tokenId}::text), ${ctx.requestId}
      from revoked
    )
    select 1 from known`;
  if (!row) throw new DomainError("not_found", "The contract has no such token.");
}
