import type { AuditAction } from "../audit/actions";
import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { type EndpointKey, endpointNotFound } from "./endpoint-rows";

/** Stops sending to an endpoint. New events are not stored for it; queued deliveries stay queued. @throws DomainError `not_found` */
export const disableEndpoint = (ctx: ServiceContext, key: EndpointKey) => setDisabled(ctx, key, true);

/** Resumes sending to an endpoint with its failures cleared, including queued deliveries. @throws DomainError `not_found` */
export const enableEndpoint = (ctx: ServiceContext, key: EndpointKey) => setDisabled(ctx, key, false);

async function setDisabled(ctx: ServiceContext, key: EndpointKey, disable: boolean): Promise<void> {
  const { sql } = ctx.db;
  const contract = addressToBytes(key.contractAddress);
  const change = disable
    ? {
        action: "webhook.disable" as const,
        when: sql`k.disabled_at is null`,
        set: sql`disabled_at = now(), disabled_reason = 'staff'`,
      }
    : {
        action: "webhook.enable" as const,
        when: sql`k.disabled_at is not null`,
        set: sql`disabled_at = null, disabled_reason = null, failing_since = null, failures = 0, paused_until = null`,
      };
  const [row] = await sql`
    with known as materialized (
      select contract_address, id, url, disabled_at from webhook_endpoints
      where contract_address = ${contract} and id = ${key.webhookId}::uuid for update
    ), changed as (
      update webhook_endpoints e set ${change.set} from known k
      where e.contract_address = ${contract} and e.contract_address = k.contract_address and e.id = k.id and ${change.when}
      returning k.id, k.url
    ), ${auditedEndpoint(ctx, key, change.action, "changed")}
    select 1 from known`;
  if (!row) throw endpointNotFound();
}

/** Deletes an endpoint and its secrets. Its pending deliveries are never sent and get swept later. @throws DomainError `not_found` */
export async function deleteEndpoint(ctx: ServiceContext, key: EndpointKey): Promise<void> {
  const [row] = await ctx.db.sql`
    with deleted as (
      delete from webhook_endpoints
      where contract_address = ${addressToBytes(key.contractAddress)} and id = ${key.webhookId}::uuid
      returning id, url
    ), ${auditedEndpoint(ctx, key, "webhook.delete", "deleted")}
    select 1 from deleted`;
  if (!row) throw endpointNotFound();
}

const auditedEndpoint = (ctx: ServiceContext, key: EndpointKey, action: AuditAction, of: string) =>
  audited(ctx, {
    action,
    target: contractTarget(key.contractAddress),
    detail: ctx.db.sql`jsonb_build_object('url', url, 'endpoint', id)`,
    of,
  });
