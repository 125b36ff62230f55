import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { addressBytes, bytes, instant } from "./types";

/** Where a contract wants to hear of its batches. Secrets are sealed, not hashed: signing needs them back. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    id: uuid("id").notNull().defaultRandom(),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    secretSealed: bytes("secret_sealed").notNull(),
    /** The secret before the last rotation: it signs too until then. */
    previousSecretSealed: bytes("previous_secret_sealed"),
    previousSecretUntil: instant("previous_secret_until"),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason"),
    /** Of the failures since the last success: when the first was, and how many bursts there are. */
    failingSince: instant("failing_since"),
    failures: integer("failures").notNull().default(0),
    /** An endpoint that fails is left alone for a while, so that it holds no delivery of another back. */
    pausedUntil: instant("paused_until"),
  },
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.id] }),
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
 * One row per event and endpoint, written by the statement that changes the batch: the outbox, the queue and the log. The
 * payload is made from the batch when it is sent; what an event tells of a batch does not change after it.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    /** The receiver's `webhook-id`, the same at every try. */
    id: uuid("id").notNull().defaultRandom(),
    endpointId: uuid("endpoint_id").notNull(),
    event: text("event").notNull(),
    /** Null for a test. */
    batchSeq: bigint("batch_seq", { mode: "bigint" }),
    /** When it happened. */
    eventAt: instant("event_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When it is due; while it is being tried, when another worker may take it over; null when it is done with. */
    nextAttemptAt: instant("next_attempt_at").default(sql`now()`),
    /** While it is being tried, by whom. */
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
    // For the one statement that says this condition: with old statistics any other would read all that waits by it.
    index("webhook_deliveries_due_by_time").on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} > '-infinity'`),
    index("webhook_deliveries_log").on(t.contractAddress, t.endpointId, t.eventAt, t.id),
    index("webhook_deliveries_by_age").on(t.eventAt),
  ],
);
