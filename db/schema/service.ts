import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { contracts } from "./contracts";
import { addressBytes, allOf, bytes, instant, pointsSum, pointType } from "./types";

/** One row per condition that staff should know about, kept for some time after it ends. */
export const alerts = pgTable(
  "alerts",
  (c) => ({
    id: c.uuid("id").primaryKey().defaultRandom(),
    kind: c.text("kind").notNull(),
    /** What the condition is about, such as a contract's address. Empty for the service itself. */
    subject: c.text("subject").notNull(),
    severity: c.text("severity").notNull(),
    title: c.text("title").notNull(),
    remedy: c.text("remedy").notNull(),
    path: c.text("path").notNull(),
    /** When it is too late to do something about it, such as a batch's due time. Null if nothing is due. */
    dueAt: instant("due_at"),
    startedAt: instant("started_at").notNull().defaultNow(),
    /** When the condition cleared. The alert ends when it stays clear long enough. */
    clearedAt: instant("cleared_at"),
    endedAt: instant("ended_at"),
    /** How often the condition returned soon after the alert ended. Each return doubles the quiet time. */
    returns: c.integer("returns").notNull().default(0),
    /**
     * What the webhook and the recipients of emails were last sent about it: `nothing`, `start` or `end`; or
     * `outdated`, a start that did not say yet that it is critical.
     */
    webhookSent: c.text("webhook_sent").notNull().default("nothing"),
    emailSent: c.text("email_sent").notNull().default("nothing"),
  }),
  (t) => [
    uniqueIndex("alerts_open").on(t.kind, t.subject).where(sql`${t.endedAt} is null`),
    index("alerts_by_subject").on(t.kind, t.subject, t.endedAt),
    index("alerts_by_start").on(t.startedAt, t.id),
    index("alerts_unsent").on(t.startedAt).where(sql`${t.webhookSent} <> 'end' or ${t.emailSent} <> 'end'`),
    check("alerts_severity", sql`${t.severity} in ('critical', 'warning')`),
    check("alerts_cleared", sql`${t.endedAt} is null or ${t.clearedAt} is not null`),
    check(
      "alerts_sent",
      allOf(
        sql`${t.webhookSent} in ('nothing', 'start', 'outdated', 'end')`,
        sql`${t.emailSent} in ('nothing', 'start', 'outdated', 'end')`,
      ),
    ),
  ],
);

/** Who has marked a card as seen: an alert, or batches that wait for a decision (server/alerts/queue.ts). */
export const alertViews = pgTable(
  "alert_views",
  (c) => ({
    /** An alert's, or one that is made from what the card is about. */
    alertId: c.uuid("alert_id").notNull(),
    seenBy: c.text("seen_by").notNull(),
    seenAt: instant("seen_at").notNull().defaultNow(),
  }),
  (t) => [primaryKey({ columns: [t.alertId, t.seenBy] })],
);

/** Periodic work that all instances share: looking for conditions, and sending to webhook and email. */
export const alertJobs = pgTable("alert_jobs", (c) => ({
  name: c.text("name").primaryKey(),
  /** No instance does it before this time. */
  nextAt: instant("next_at").notNull(),
  failures: c.integer("failures").notNull().default(0),
  failure: c.text("failure"),
  succeededAt: instant("succeeded_at"),
}));

/** A change to many batches by one person. A preview is a job that was never started. */
export const bulkJobs = pgTable(
  "bulk_jobs",
  (c) => ({
    id: c.uuid("id").primaryKey(),
    action: c.text("action").notNull(),
    /** Nothing reads or writes it any more: the next release drops it. */
    filters: c.jsonb("filters").$type<Record<string, unknown>>(),
    /** Batches created later are not part of the job. */
    frozenAt: instant("frozen_at").notNull(),
    createdBy: c.text("created_by").notNull(),
    /** Chosen batches, including those that cannot be changed. */
    itemCount: c.integer("item_count").notNull(),
    reason: c.text("reason"),
    requestId: c.text("request_id"),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
    stoppedBy: c.text("stopped_by"),
    claimId: c.uuid("claim_id"),
    leaseUntil: instant("lease_until"),
    /** Of a take back: how long its reversals wait, and what rules ask for the sum of each point type. */
    waitSeconds: c.integer("wait_seconds"),
    needs: c.jsonb("needs").$type<Record<string, string>>(),
  }),
  (t) => [
    check("bulk_jobs_action", sql`${t.action} in ('hold', 'release', 'cancel', 'reverse', 'approve')`),
    check(
      "bulk_jobs_started_whole",
      sql`${t.startedAt} is null or (${t.reason} is not null and ${t.leaseUntil} is not null)`,
    ),
    check("bulk_jobs_stopped", sql`${t.stoppedBy} is null or ${t.finishedAt} is not null`),
    index("bulk_jobs_by_time").on(t.startedAt, t.id),
    index("bulk_jobs_open")
      .on(t.leaseUntil)
      .where(sql`${t.startedAt} is not null and ${t.finishedAt} is null`),
  ],
);

/** The batches of a job. The statement that changes a batch also writes its result. */
export const bulkJobItems = pgTable(
  "bulk_job_items",
  (c) => ({
    jobId: c.uuid("job_id").notNull(),
    position: c.integer("position").notNull(),
    contractAddress: addressBytes("contract_address").notNull(),
    batchId: c.text("batch_id").notNull(),
    pointType: pointType("point_type").notNull(),
    points: pointsSum("points").notNull(),
    transferCount: c.integer("transfer_count").notNull(),
    result: c.text("result"),
    /** When the job processed it. Null for `EXCLUDED`, which was known at the preview. */
    resultAt: instant("result_at"),
    /** Why it was not done, or not whole: the batch's state, or what went wrong. */
    why: c.text("why"),
    /** Who brought the batch into that state, and when. */
    whyBy: c.text("why_by"),
    whyAt: instant("why_at"),
  }),
  (t) => [
    primaryKey({ columns: [t.jobId, t.position] }),
    check("bulk_job_items_result", sql`${t.result} in ('DONE', 'EXCLUDED', 'OVERTAKEN', 'FAILED')`),
    check("bulk_job_items_why", sql`${t.result} = 'DONE' or (${t.why} is null) = (${t.result} is null)`),
    index("bulk_job_items_by_result").on(t.jobId, t.result, t.position),
  ],
);

/** Webhook endpoints of contracts. Secrets are encrypted, not hashed, because signing needs them. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  (c) => ({
    contractAddress: addressBytes("contract_address")
      .notNull()
      .references(() => contracts.address),
    id: c.uuid("id").notNull().defaultRandom(),
    url: c.text("url").notNull(),
    events: c.text("events").array().notNull(),
    secretSealed: bytes("secret_sealed").notNull(),
    /** The previous secret, which also signs until the time below. */
    previousSecretSealed: bytes("previous_secret_sealed"),
    previousSecretUntil: instant("previous_secret_until"),
    createdBy: c.text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    disabledAt: instant("disabled_at"),
    disabledReason: c.text("disabled_reason"),
    /** Since the last success: the time of the first failure, and the number of failure bursts. */
    failingSince: instant("failing_since"),
    failures: c.integer("failures").notNull().default(0),
    firstDeliveredAt: instant("first_delivered_at"),
    /** A failing endpoint is paused until this time, so that it delays no other endpoint. */
    pausedUntil: instant("paused_until"),
  }),
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
      allOf(
        sql`cardinality(${t.events}) > 0`,
        sql`${t.events} <@ array['batch.created', 'batch.cancelled', 'batch.held',
        'batch.released', 'batch.finalizing', 'batch.finalized']`,
      ),
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
 * One row per event and endpoint, written by the statement that changes the batch. It is outbox, queue and
 * log in one. The payload is built from the batch when it is sent, because the fields it contains never
 * change after the event.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  (c) => ({
    contractAddress: addressBytes("contract_address").notNull(),
    /** Sent as `webhook-id`, the same on every attempt. */
    id: c.uuid("id").notNull().defaultRandom(),
    endpointId: c.uuid("endpoint_id").notNull(),
    event: c.text("event").notNull(),
    /** Null for a test event. */
    batchSeq: c.bigint("batch_seq", { mode: "bigint" }),
    eventAt: instant("event_at").notNull(),
    attempts: c.integer("attempts").notNull().default(0),
    /** When the delivery is due. During an attempt, when its lease expires. Null once it is done. */
    nextAttemptAt: instant("next_attempt_at").default(sql`now()`),
    /** The claim of the worker that is sending it. */
    claimId: c.uuid("claim_id"),
    deliveredAt: instant("delivered_at"),
    lastAttemptAt: instant("last_attempt_at"),
    lastStatusCode: c.integer("last_status_code"),
    lastDurationMs: c.integer("last_duration_ms"),
    lastFailure: c.text("last_failure"),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.id] }),
    check("webhook_deliveries_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    check("webhook_deliveries_delivered", sql`${t.deliveredAt} is null or ${t.nextAttemptAt} is null`),
    check("webhook_deliveries_claimed", sql`${t.claimId} is null or ${t.nextAttemptAt} is not null`),
    check("webhook_deliveries_batch", sql`(${t.batchSeq} is null) = (${t.event} = 'webhook.test')`),
    index("webhook_deliveries_due")
      .on(t.contractAddress, t.endpointId, t.nextAttemptAt)
      .where(sql`${t.nextAttemptAt} is not null`),
    // For the one statement with this condition: stale statistics would make others read all rows by it.
    index("webhook_deliveries_due_by_time").on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} > '-infinity'`),
    index("webhook_deliveries_log").on(t.contractAddress, t.endpointId, t.eventAt, t.id),
    index("webhook_deliveries_by_age").on(t.eventAt),
  ],
);

/** Requests of callers that were kept: the refused, and a sample of the rest. Never bodies or secrets. */
export const requestLog = pgTable(
  "request_log",
  (c) => ({
    contractAddress: addressBytes("contract_address").notNull(),
    createdAt: instant("created_at").notNull(),
    id: c.bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    operation: c.text("operation").notNull(),
    status: c.integer("status").notNull(),
    code: c.text("code"),
    requestId: c.text("request_id").notNull(),
    /** Null for an operator's token. */
    tokenId: c.uuid("token_id"),
    /** `token:<name>` or `operator:<address>`. */
    caller: c.text("caller").notNull(),
    clientNetwork: c.text("client_network").notNull(),
    errors: c.jsonb("errors").$type<{ pointer: string; code: string; detail: string }[]>(),
  }),
  (t) => [
    primaryKey({ columns: [t.contractAddress, t.createdAt, t.id] }),
    check("request_log_address_length", sql`octet_length(${t.contractAddress}) = 20`),
    // One per filter of a page, in its order. Request IDs are callers' own, so contracts may share them.
    index("request_log_by_code").on(t.contractAddress, t.code, t.createdAt, t.id),
    index("request_log_by_token").on(t.contractAddress, t.tokenId, t.createdAt, t.id),
    index("request_log_by_request_id").on(t.requestId, t.contractAddress, t.createdAt, t.id),
    index("request_log_by_age").on(t.createdAt),
  ],
);

export const ledgerChecks = pgTable(
  "ledger_checks",
  (c) => ({
    id: c.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    startedBy: c.text("started_by").notNull(),
    /** `whole`: all data. `incremental`: new data and a slice of old data. */
    reach: c.text("reach").notNull().default("whole"),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at").notNull().defaultNow(),
    isOk: c.boolean("is_ok").notNull(),
    batches: c.bigint("batches", { mode: "bigint" }).notNull(),
    transfers: c.bigint("transfers", { mode: "bigint" }).notNull(),
    accounts: c.bigint("accounts", { mode: "bigint" }).notNull(),
    /** Sums of all accounts per point type, for the public books. Null if the check did not complete. */
    totals: c.jsonb("totals"),
    /** The first findings of each broken rule. */
    findings: c.jsonb("findings").$type<{ rule: string; detail: string }[]>().notNull().default([]),
  }),
  (t) => [
    index("ledger_checks_by_time").on(t.finishedAt),
    check("ledger_checks_reach", sql`${t.reach} in ('whole', 'incremental')`),
  ],
);

/** A single row with the state of the incremental self-check. */
export const ledgerCheckpoint = pgTable("ledger_checkpoint", (c) => ({
  singleton: c.boolean("singleton").primaryKey().default(true),
  /** `ledger_checkpoint_accounts` includes everything up to this time, and nothing later. */
  horizon: instant("horizon").notNull(),
  /** Every issuance after the horizon has a higher id. */
  issuanceId: c.bigint("issuance_id", { mode: "bigint" }).notNull(),
  /** Slices per round, one per check. Each has a range of batch sequences and a range of addresses. */
  slices: c.integer("slices").notNull(),
  slicesDone: c.integer("slices_done").notNull().default(0),
  /** Highest batch sequence when the round started. */
  batchSeqMax: c.bigint("batch_seq_max", { mode: "bigint" }).notNull(),
  roundStartedAt: instant("round_started_at").notNull(),
  /** When the last round over all old data finished. */
  roundFinishedAt: instant("round_finished_at").notNull(),
}));

/** Checked balances as of the checkpoint's horizon. The next check adds what was settled since. */
export const ledgerCheckpointAccounts = pgTable(
  "ledger_checkpoint_accounts",
  {
    address: addressBytes("address").notNull(),
    pointType: pointType("point_type").notNull(),
    earned: pointsSum("earned").notNull(),
    received: pointsSum("received").notNull(),
    sent: pointsSum("sent").notNull(),
  },
  (t) => [primaryKey({ columns: [t.address, t.pointType] })],
);

/** One row per finalizer run that finalized something or failed. */
export const finalizerRuns = pgTable(
  "finalizer_runs",
  (c) => ({
    id: c.uuid("id").primaryKey().defaultRandom(),
    startedBy: c.text("started_by").notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at").notNull().defaultNow(),
    batchesFinalized: c.integer("batches_finalized").notNull(),
    transfersSettled: c.integer("transfers_settled").notNull(),
    lagSecondsMax: c.integer("lag_seconds_max").notNull(),
    failure: c.text("failure"),
  }),
  (t) => [index("finalizer_runs_by_time").on(t.finishedAt)],
);

/** A single row with the time of the last finalizer run and the totals settled. */
export const finalizerHeartbeat = pgTable("finalizer_heartbeat", (c) => ({
  singleton: c.boolean("singleton").primaryKey().default(true),
  lastTickAt: instant("last_tick_at").notNull(),
  batchesFinalized: c.bigint("batches_finalized", { mode: "bigint" }).notNull().default(sql`0`),
  transfersSettled: c.bigint("transfers_settled", { mode: "bigint" }).notNull().default(sql`0`),
}));
