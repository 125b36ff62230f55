import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import { hashToken, makeToken, type TokenScope, tokenSuffix } from "./access-token";

export interface NewToken {
  contractAddress: string;
  name: string;
  scopes: TokenScope[];
  expiresAt: string | null;
}

/** Creates a token for a registered contract. It is never shown again. @throws DomainError `contract_not_found` */
export async function createAccessToken(
  ctx: ServiceContext,
  input: NewToken,
): Promise<{ token: string; id: string }> {
  const token = makeToken("access");
  const contract = addressToBytes(input.contractAddress);
  const [row] = await ctx.db.sql<{ id: string }[]>`
    with made as (
      insert into access_tokens (token_hash, token_end, contract_address, name, scopes, created_by, expires_at)
      select ${hashToken(token)}::bytea, ${tokenSuffix(token)}, address, ${input.name}, ${`{${input.scopes.join(",")}}`}::text::text[],
        ${ctx.actor}, ${input.expiresAt}::timestamptz
      from contracts where address = ${contract}
      returning id
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'token.create', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('name', ${input.name}::text, 'scopes', ${input.scopes.join(" ")}::text), ${ctx.requestId}
      from made
    )
    select id from made`;
  if (!row)
    throw new DomainError("contract_not_found", `The contract ${input.contractAddress} is not registered.`);
  return { token, id: row.id };
}
