import { audited, contractTarget } from "@/server/audit/audited";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { TEST_EVENT, type WebhookEvent } from "@/terms/batch-terms";
import { DomainError } from "@/terms/problems";
import { endpointNotFound } from "./endpoints";
import type { EndpointKey, ReplayInput } from "./schema";

export const DELIVERIES_MAX = 50;

export type DeliveryState = "delivered" | "sending" | "waiting" | "failed";

export interface ListedDelivery {
  id: string;
  event: WebhookEvent | typeof TEST_EVENT;
  batchId: string | null;
  eventAt: string;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  lastDurationMs: number | null;
  lastFailure: string | null;
}

/** Newest first. One with an expired lease is waiting. @param input.cursor the last one of the page before */
export async function listDeliveries(ctx: ServiceContext, input: EndpointKey & { cursor?: string | null }) {
  const { sql } = ctx.db;
  const contract = addressToBytes(input.contractAddress);
  const after = input.cursor
    ? sql`and (d.event_at, d.id) < (
        select event_at, id from webhook_deliveries
        where contract_address = ${contract} and id = ${input.cursor}::uuid)`
    : sql``;
  const rows = await sql<ListedDelivery[]>`
    select d.id, d.event, b.id as "batchId", d.event_at as "eventAt", d.attempts,
      d.last_status_code as "lastStatusCode",
      d.last_duration_ms as "lastDurationMs",
      d.last_failure as "lastFailure",
      case
        when d.claim_id is null and d.next_attempt_at is not null
        then greatest(d.next_attempt_at, e.paused_until)
      end as "nextAttemptAt",
      case
        when d.delivered_at is not null then 'delivered'
        when d.next_attempt_at is null then 'failed'
        when d.claim_id is not null and d.next_attempt_at > now() then 'sending'
        else 'waiting'
      end as state
    from webhook_deliveries d
    join webhook_endpoints e on e.contract_address = ${contract} and e.id = d.endpoint_id
    left join batches b on b.contract_address = ${contract} and b.seq = d.batch_seq
    where d.contract_address = ${contract} and d.endpoint_id = ${input.webhookId}::uuid ${after}
    order by d.event_at desc, d.id desc limit ${DELIVERIES_MAX + 1}`;
  const deliveries = rows.slice(0, DELIVERIES_MAX).map((row) => withTimes(row, "eventAt", "nextAttemptAt"));
  return { deliveries, cursor: rows.length > DELIVERIES_MAX ? deliveries.at(-1)!.id : null };
}

/**
 * Sends a delivery again with the same `webhook-id` and a fresh set of attempts. It may have succeeded,
 * failed for good or still be waiting. @throws DomainError `not_found`, `validation_failed` when it is being
 * sent or its webhook is disabled
 */
export async function replayDelivery(ctx: ServiceContext, input: ReplayInput): Promise<void> {
  const contract = addressToBytes(input.contractAddress);
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('url', url, 'event', event, 'delivery', id)`;
  const target = contractTarget(input.contractAddress);
  const [row] = await sql<{ replayed: boolean; disabled: boolean }[]>`
    with known as materialized (
      select d.contract_address, d.id, d.event, e.disabled_at, e.url,
        d.claim_id is not null and d.next_attempt_at > now() as is_sending
      from webhook_deliveries d join webhook_endpoints e
        on e.contract_address = d.contract_address and e.id = d.endpoint_id
      where d.contract_address = ${contract} and e.contract_address = ${contract}
        and d.id = ${input.deliveryId}::uuid
      for update of d
    ), replayed as (
      update webhook_deliveries d
      set attempts = 0, next_attempt_at = now(), claim_id = null, delivered_at = null
      from known k
      where d.contract_address = ${contract}
        and d.contract_address = k.contract_address
        and d.id = k.id
        and not k.is_sending
        and k.disabled_at is null
      returning k.id, k.event, k.url
    ), ${audited(ctx, { action: "webhook.replay", target, detail, of: "replayed" })}
    select exists (select 1 from replayed) as replayed, disabled_at is not null as disabled from known`;
  if (!row)
    throw new DomainError(
      "not_found",
      "Delivery not found. It may have expired, or its webhook was deleted.",
    );
  if (row.disabled) throw disabled();
  if (!row.replayed) throw invalid("The delivery is being sent right now. Wait for its result.");
}

const disabled = () => invalid("The webhook is disabled. Enable it first.");

/** Returns the test's `webhook-id`. @throws DomainError `not_found`, `validation_failed` while disabled */
export async function sendTestEvent(
  ctx: ServiceContext,
  input: EndpointKey,
): Promise<{ deliveryId: string }> {
  const { sql } = ctx.db;
  const url = sql`(select url from known)`;
  const detail = sql`jsonb_build_object('url', ${url}, 'endpoint', endpoint_id, 'delivery', id)`;
  const target = contractTarget(input.contractAddress);
  const [row] = await sql<{ id: string | null }[]>`
    with known as materialized (
      select contract_address, id, url, disabled_at from webhook_endpoints
      where contract_address = ${addressToBytes(input.contractAddress)} and id = ${input.webhookId}::uuid
    ), made as (
      insert into webhook_deliveries (contract_address, endpoint_id, event, event_at)
      select contract_address, id, ${TEST_EVENT}, now() from known where disabled_at is null
      returning id, endpoint_id
    ), ${audited(ctx, { action: "webhook.test", target, detail, of: "made" })}
    select m.id from known left join made m on true`;
  if (!row) throw endpointNotFound();
  if (row.id === null) throw disabled();
  return { deliveryId: row.id };
}
