import { z } from "zod";
import type { ServiceContext } from "../kernel/context";
import type { TEST_EVENT, WebhookEvent } from "../kernel/outbox/events";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { TimestampField } from "../kernel/values/fields";
import { boundAfter } from "../kernel/values/instant-bounds";
import { DomainError } from "../kernel/values/problems";
import { WebhookIdField } from "./schema";

/** Max deliveries per page. */
export const DELIVERIES_MAX = 50;

export type DeliveryState = "delivered" | "sending" | "waiting" | "failed";

export interface ListedDelivery {
  /** Sent to the receiver as `webhook-id`. */
  id: string;
  event: WebhookEvent | typeof TEST_EVENT;
  /** Null for a test event. */
  batchId: string | null;
  eventAt: string;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  lastStatusCode: number | null;
  lastDurationMs: number | null;
  lastFailure: string | null;
}

export interface DeliveriesPage {
  deliveries: ListedDelivery[];
  /** Cursor of the next page. Null on the last page. */
  cursor: string | null;
}

const CursorField = z.tuple([TimestampField, WebhookIdField]);

/** The last event's time and id, as in a page's `cursor`. */
function readCursor(cursor: string): { at: string; id: string } {
  const { data } = CursorField.safeParse(cursor.split("_"));
  if (!data) throw new DomainError("invalid_cursor", "The cursor is truncated or was modified.");
  return { at: boundAfter(data[0])!, id: data[1] };
}

/**
 * The deliveries of an endpoint, newest event first. One with an expired lease counts as waiting, since no worker sends it.
 * @throws DomainError `invalid_cursor`
 */
export async function listDeliveries(
  ctx: ServiceContext,
  input: { contractAddress: string; webhookId: string; cursor?: string | null },
): Promise<DeliveriesPage> {
  const { sql } = ctx.db;
  const contract = addressToBytes(input.contractAddress);
  const position = typeof input.cursor === "string" ? readCursor(input.cursor) : null;
  const after = position
    ? sql`and (d.event_at, d.id) < (${position.at}::timestamptz, ${position.id}::uuid)`
    : sql``;
  const rows = await sql<ListedDelivery[]>`
    select d.id, d.event, b.id as "batchId", d.event_at as "eventAt", d.attempts, d.last_attempt_at as "lastAttemptAt",
      d.last_status_code as "lastStatusCode", d.last_duration_ms as "lastDurationMs", d.last_failure as "lastFailure",
      case when d.claim_id is null and d.next_attempt_at is not null then greatest(d.next_attempt_at, e.paused_until) end
        as "nextAttemptAt",
      case when d.delivered_at is not null then 'delivered' when d.next_attempt_at is null then 'failed'
        when d.claim_id is not null and d.next_attempt_at > now() then 'sending' else 'waiting' end as state
    from webhook_deliveries d
    join webhook_endpoints e on e.contract_address = ${contract} and e.id = d.endpoint_id
    left join batches b on b.contract_address = ${contract} and b.seq = d.batch_seq
    where d.contract_address = ${contract} and d.endpoint_id = ${input.webhookId}::uuid ${after}
    order by d.event_at desc, d.id desc limit ${DELIVERIES_MAX + 1}`;
  const deliveries = rows.slice(0, DELIVERIES_MAX).map((row) => ({
    ...row,
    eventAt: toTimestamp(row.eventAt),
    nextAttemptAt: row.nextAttemptAt && toTimestamp(row.nextAttemptAt),
    lastAttemptAt: row.lastAttemptAt && toTimestamp(row.lastAttemptAt),
  }));
  const last = deliveries.at(-1);
  return {
    deliveries,
    cursor: rows.length > DELIVERIES_MAX && last ? `${last.eventAt}_${last.id}` : null,
  };
}
