import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";

export interface DeliveryKey {
  contractAddress: string;
  deliveryId: string;
}

/**
 * Sends a delivery again with the same `webhook-id` and a fresh set of attempts. It may have succeeded, failed for good or
 * still be waiting. @throws DomainError `not_found`, `validation_failed` when it is being sent or its webhook is disabled
 */
export async function replayDelivery(ctx: ServiceContext, input: DeliveryKey): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('url', url, 'event', event, 'delivery', id)`;
  const [row] = await sql<{ replayed: boolean; disabled: boolean }[]>`
    with known as materialized (
      select d.contract_address, d.id, d.event, d.claim_id is not null and d.next_attempt_at > now() as is_sending,
        e.disabled_at, e.url
      from webhook_deliveries d join webhook_endpoints e
        on e.contract_address = d.contract_address and e.id = d.endpoint_id
      where d.contract_address = ${contract} and e.contract_address = ${contract} and d.id = ${input.deliveryId}::uuid
      for update of d
    ), replayed as (
      update webhook_deliveries d set attempts = 0, next_attempt_at = now(), claim_id = null, delivered_at = null
      from known k
      where d.contract_address = ${contract} and d.contract_address = k.contract_address and d.id = k.id and not k.is_sending and k.disabled_at is null
      returning k.id, k.event, k.url
    ), ${audited(ctx, { action: "webhook.replay", target: contractTarget(input.contractAddress), detail, of: "replayed" })}
    select exists (select 1 from replayed) as replayed, disabled_at is not null as disabled from known`;
  if (!row)
    throw new DomainError(
      "not_found",
      "Delivery not found. It may have expired, or its webhook was deleted.",
    );
  if (row.replayed) return;
  const words = row.disabled
    ? "The webhook is disabled. Enable it first."
    : "The delivery is being sent right now. Wait for its result.";
  throw new DomainError("validation_failed", words);
}
