import { z } from "zod";
import type { ServiceContext } from "../kernel/context";
import type { TEST_EVENT, WebhookEvent } from "../kernel/outbox/events";
import { addressToBytes } from "../kernel/values/addresses";
import { TimestampField } from "../kernel/values/fields";
import { boundAfter } from "../kernel/values/instant-bounds";
import { DomainError } from "../kernel/values/problems";
import { toTimestamp } from "./endpoint-rows";
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

interface DeliveryRow {
  id: string;
  event: ListedDelivery["event"];
  batch_id: string | null;
  event_at: string;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  last_status_code: number | null;
  last_duration_ms: number | null;
  last_failure: string | null;
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
  const rows = await sql<DeliveryRow[]>`
    select d.id, d.event, b.id as batch_id, d.event_at, d.attempts, d.last_attempt_at, d.last_status_code,
      d.last_duration_ms, d.last_failure,
      case when d.claim_id is null then d.next_attempt_at end as next_attempt_at,
      case when d.delivered_at is not null then 'delivered' when d.next_attempt_at is null then 'failed'
        when d.claim_id is not null and d.next_attempt_at > now() then 'sending' else 'waiting' end as state
    from webhook_deliveries d
    left join batches b on b.contract_address = ${contract} and b.seq = d.batch_seq
    where d.contract_address = ${contract} and d.endpoint_id = ${input.webhookId}::uuid ${after}
    order by d.event_at desc, d.id desc limit ${DELIVERIES_MAX + 1}`;
  const page = rows.slice(0, DELIVERIES_MAX).map(toDelivery);
  const last = page.at(-1);
  return {
    deliveries: page,
    cursor: rows.length > DELIVERIES_MAX && last ? `${last.eventAt}_${last.id}` : null,
  };
}

function toDelivery(row: DeliveryRow): ListedDelivery {
  return {
    id: row.id,
    event: row.event,
    batchId: row.batch_id,
    eventAt: toTimestamp(row.event_at),
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at && toTimestamp(row.next_attempt_at),
    lastAttemptAt: row.last_attempt_at && toTimestamp(row.last_attempt_at),
    lastStatusCode: row.last_status_code,
    lastDurationMs: row.last_duration_ms,
    lastFailure: row.last_failure,
  };
}
