import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { contractNotFound } from "../ledger/contract-not-found";
import type { WebhookEndpoint } from "./endpoint-rows";

/** The endpoints of a contract, oldest first. Creating one enforces the limit. @throws DomainError `contract_not_found` */
export async function listEndpoints(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<WebhookEndpoint[]> {
  const contract = addressToBytes(input.contractAddress);
  const rows = await ctx.db.sql<WebhookEndpoint[]>`
    select id, url, events, created_at as "createdAt", disabled_at as "disabledAt", disabled_reason as "disabledReason",
      first_delivered_at as "firstDeliveredAt", failing_since as "failingSince",
      case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil"
    from webhook_endpoints where contract_address = ${contract} order by created_at, id`;
  if (rows.length === 0) {
    const known = await ctx.db.sql`select 1 from contracts where address = ${contract}`;
    if (known.length === 0) throw contractNotFound(input.contractAddress);
  }
  return rows.map((row) => ({
    ...row,
    createdAt: toTimestamp(row.createdAt),
    disabledAt: row.disabledAt && toTimestamp(row.disabledAt),
    firstDeliveredAt: row.firstDeliveredAt && toTimestamp(row.firstDeliveredAt),
    failingSince: row.failingSince && toTimestamp(row.failingSince),
    previousSecretUntil: row.previousSecretUntil && toTimestamp(row.previousSecretUntil),
  }));
}
