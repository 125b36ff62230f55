import { contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { TEST_EVENT } from "../kernel/outbox/events";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import { type EndpointKey, endpointNotFound } from "./endpoint-rows";

/** Queues a test event for one endpoint and returns its `webhook-id`. @throws DomainError `not_found`, `validation_failed` while disabled */
export async function sendTest(ctx: ServiceContext, input: EndpointKey): Promise<{ deliveryId: string }> {
  const [row] = await ctx.db.sql<{ id: string | null }[]>`
    with known as materialized (
      select contract_address, id, url, disabled_at from webhook_endpoints
      where contract_address = ${addressToBytes(input.contractAddress)} and id = ${input.webhookId}::uuid
    ), made as (
      insert into webhook_deliveries (contract_address, endpoint_id, event, event_at)
      select contract_address, id, ${TEST_EVENT}, now() from known where disabled_at is null
      returning id
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'webhook.test', ${contractTarget(input.contractAddress)},
        jsonb_build_object('url', k.url, 'endpoint', k.id, 'delivery', m.id), ${ctx.requestId}
      from known k, made m
    )
    select m.id from known left join made m on true`;
  if (!row) throw endpointNotFound();
  if (row.id === null)
    throw new DomainError("validation_failed", "The webhook is disabled. Enable it first.");
  return { deliveryId: row.id };
}
