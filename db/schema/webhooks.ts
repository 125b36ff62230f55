import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { contracts } from "./contracts";
import { addressBytes, bytes, instant } from "./types";

/** Webhook endpoints of contracts. Secrets are encrypted, not hashed, because signing needs them. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    contractAddress: addressBytes("contract_address")
      .notNull()
      .references(() => contracts.address),
    id: uuid("id").notNull().defaultRandom(),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    secretSealed: bytes("secret_sealed").notNull(),
    /** The previous secret, which also signs until the time below. */
    previousSecretSealed: bytes("previous_secret_sealed"),
    previousSecretUntil: instant("previous_secret_until"),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason"),
    /** Since the last success: the time of the first failure, and the number of failure bursts. */
    failingSince: instant("failing_since"),
    failures: integer("failures").notNull().default(0),
    firstDeliveredAt: instant("first_delivered_at"),
    /** A failing endpoint is paused until this time, so that it delays no other endpoint. */
    pausedUntil: instant("paused_until"),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.id] }),
    // For alerts about endpoints that the service disabled.
    index("webhook_endpoints_given_up")
      .on(t.disabledAt)
      .where(sql`${t.disabledReason} in ('failures', 'gone')`),
    check("webhook_endpoints_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("webhook_endpoints_url", sql`char_length(${t.url}) between 8 and 2048`),
    check(
      "webhook_endpoints_events",
      sql`cardinality(${t.events}) > 0 and ${t.events} <@ array['batch.created', 'batch.cancelled', 'batch.held',
        'batch.released', 'batch.finalizing', 'batch.finalized']`,
    ),
    check(
      "webhook_endpoints_disabled_whole",
      sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)
        and coalesce(${t.disabledReason} in ('staff', 'failures', 'gone'), true)`,
    ),
    check(
      "webhook_endpoints_previous_whole",
      sql`(${t.previousSecretSealed} is null) = (${t.previousSecretUntil} is null)`,
    ),
  ],
);

/**
 * One row per event and endpoint, written by the statement that changes the batch. It is outbox, queue and log in one. The
 * payload is built from the batch when it is sent, because the fields it contains never change after the event.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    /** Sent as `webhook-id`, the same on every attempt. */
    id: uuid("id").notNull().defaultRandom(),
    endpointId: uuid("endpoint_id").notNull(),
    event: text("event").notNull(),
    /** Null for a test event. */
    batchSeq: bigint("batch_seq", { mode: "bigint" }),
    eventAt: instant("event_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When the delivery is due. During an attempt, when its lease expires. Null once it is done. */
    nextAttemptAt: instant("next_attempt_at").default(sql`now()`),
    /** The claim of the worker that is sending it. */
    claimId: uuid("claim_id"),
    deliveredAt: instant("delivered_at"),
    lastAttemptAt: instant("last_attempt_at"),
    lastStatusCode: integer("last_status_code"),
    lastDurationMs: integer("last_duration_ms"),
    lastFailure: text("last_failure"),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.id] }),
    check("webhook_deliveries_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("webhook_deliveries_delivered", sql`${t.deliveredAt} is null or ${t.nextAttemptAt} is null`),
    check("webhook_deliveries_claimed", sql`${t.claimId} is null or ${t.nextAttemptAt} is not null`),
    check("webhook_deliveries_batch", sql`(${t.batchSeq} is null) = (${t.event} = 'webhook.test')`),
    index("webhook_deliveries_due")
      .on(t.contractAddress, t.endpointId, t.nextAttemptAt)
      .where(sql`${t.nextAttemptAt} is not null`),
    // For the one statement with this condition. With stale statistics, other statements would read all pending rows by it.
    index("webhook_deliveries_due_by_time").on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} > '-infinity'`),
    index("webhook_deliveries_log").on(t.contractAddress, t.endpointId, t.eventAt, t.id),
    index("webhook_deliveries_by_age").on(t.eventAt),
  ],
);
