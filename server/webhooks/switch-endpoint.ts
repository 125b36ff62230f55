import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import type { EndpointKey } from "./endpoint-key";
import { endpointNotFound } from "./endpoint-not-found";

/** Stops sending to an endpoint. New events are not stored for it; queued deliveries stay queued. @throws DomainError `not_found` */
export async function disableEndpoint(ctx: ServiceContext, input: EndpointKey): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const [row] = await ctx.db.sql`
    with known as materialized (
      select contract_address, id, url, disabled_at from webhook_endpoints
      where contract_address = ${contract} and id = ${input.webhookId}::uuid for update
    ), disabled as (
      update webhook_endpoints e set disabled_at = now(), disabled_reason = 'staff' from known k
      where e.contract_address = ${contract} and e.contract_address = k.contract_address and e.id = k.id and k.disabled_at is null
      returning k.id, k.url
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'webhook.disable', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('url', url, 'endpoint', id), ${ctx.requestId}
      from disabled
    )
    select 1 from known`;
  if (!row) throw endpointNotFound();
}

/** Resumes sending to an endpoint with its failures cleared, including queued deliveries. @throws DomainError `not_found` */
export async function enableEndpoint(ctx: ServiceContext, input: EndpointKey): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const [row] = await ctx.db.sql`
    with known as materialized (
      select contract_address, id, url, disabled_at from webhook_endpoints
      where contract_address = ${contract} and id = ${input.webhookId}::uuid for update
    ), enabled as (
      update webhook_endpoints e set disabled_at = null, disabled_reason = null, failing_since = null, failures = 0,
        paused_until = null from known k
      where e.contract_address = ${contract} and e.contract_address = k.contract_address and e.id = k.id and k.disabled_at is not null
      returning k.id, k.url
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'webhook.enable', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('url', url, 'endpoint', id), ${ctx.requestId}
      from enabled
    )
    select 1 from known`;
  if (!row) throw endpointNotFound();
}
