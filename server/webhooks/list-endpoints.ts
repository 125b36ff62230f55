import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { contractNotFound } from "../ledger/contract-not-found";
import { type EndpointRow, toEndpoint, type WebhookEndpoint } from "./endpoint-rows";

/** The endpoints of a contract, oldest first. Creating one enforces the limit. @throws DomainError `contract_not_found` */
export async function listEndpoints(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<WebhookEndpoint[]> {
  const contract = addressToBytes(input.contractAddress);
  const rows = await ctx.db.sql<EndpointRow[]>`
    select id, url, events, created_at, disabled_at, disabled_reason, first_delivered_at, failing_since,
      case when previous_secret_until > now() then previous_secret_until end as previous_secret_until
    from webhook_endpoints where contract_address = ${contract} order by created_at, id`;
  if (rows.length === 0) {
    const known = await ctx.db.sql`select 1 from contracts where address = ${contract}`;
    if (known.length === 0) throw contractNotFound(input.contractAddress);
  }
  return rows.map(toEndpoint);
}
