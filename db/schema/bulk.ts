import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { addressBytes, instant, pointsSum, pointType } from "./types";

/** Holds, releases or cancels of many batches by one person. A preview is a job that was never started. */
export const bulkJobs = pgTable(
  "bulk_jobs",
  {
    id: uuid("id").primaryKey(),
    action: text("action").notNull(),
    /** The console's filters that chose the batches. Null if they were chosen row by row. */
    filters: jsonb("filters").$type<Record<string, unknown>>(),
    /** Batches created later are not part of the job. */
    frozenAt: instant("frozen_at").notNull(),
    createdBy: text("created_by").notNull(),
    /** Chosen batches, including those that cannot be changed. */
    itemCount: integer("item_count").notNull(),
    reason: text("reason"),
    requestId: text("request_id"),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
    /** Who stopped it early; `service` if its creator lost the role. */
    stoppedBy: text("stopped_by"),
    claimId: uuid("claim_id"),
    leaseUntil: instant("lease_until"),
  },
  (t) => [
    check("bulk_jobs_action", sql`${t.action} in ('hold', 'release', 'cancel')`),
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
  {
    jobId: uuid("job_id").notNull(),
    position: integer("position").notNull(),
    contractAddress: addressBytes("contract_address").notNull(),
    batchId: text("batch_id").notNull(),
    pointType: pointType("point_type").notNull(),
    points: pointsSum("points").notNull(),
    transferCount: integer("transfer_count").notNull(),
    result: text("result"),
    /** When the job processed it. Null for `EXCLUDED`, which was known at the preview. */
    resultAt: instant("result_at"),
    /** Why it was not done: the batch's state, or what went wrong. */
    why: text("why"),
    /** Who brought the batch into that state, and when. */
    whyBy: text("why_by"),
    whyAt: instant("why_at"),
  },
  (t) => [
    primaryKey({ columns: [t.jobId, t.position] }),
    check("bulk_job_items_result", sql`${t.result} in ('DONE', 'EXCLUDED', 'OVERTAKEN', 'FAILED')`),
    check(
      "bulk_job_items_why",
      sql`(${t.why} is not null) = coalesce(${t.result} in ('EXCLUDED', 'OVERTAKEN', 'FAILED'), false)`,
    ),
    index("bulk_job_items_by_result").on(t.jobId, t.result, t.position),
  ],
);
