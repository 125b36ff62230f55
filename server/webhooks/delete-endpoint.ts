import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import type { EndpointKey } from "./endpoint-key";
import { endpointNotFound } from "./endpoint-not-found";

/** Deletes an endpoint and its secrets. Its pending deliveries are never sent and get swept later. @throws DomainError `not_found` */
export async function deleteEndpoint(ctx: ServiceContext, input: EndpointKey): Promise<void> {
  const [row] = await ctx.db.sql`
    with deleted as (
      delete from webhook_endpoints
      where contract_address = ${addressToBytes(input.contractAddress)} and id = ${input.webhookId}::uuid
      returning id, url
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'webhook.delete', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('url', url, 'endpoint', id), ${ctx.requestId}
      from deleted
    )
    select 1 from deleted`;
  if (!row) throw endpointNotFound();
}
