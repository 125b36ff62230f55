import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/db/client";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import { openItem } from "@/server/batches/change/job-item";
import { findBatch, type StoredBatch } from "@/server/batches/list/get-batch";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { isDatabaseUnavailable, postgresError } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { startWorkLoop } from "@/server/kernel/work-loop";
import { emailOf } from "@/server/staff/second-person";
import { DomainError } from "@/terms/problems";
import { bulkTarget } from "./jobs";
import { obstacleOf } from "./preview-bulk";
import type { BulkAction, BulkItem } from "./schema";

/** How long a job belongs to its worker. After a crash another worker continues when this has passed. */
const LEASE_SECONDS = 30;
/** Items read at a time. The lease is renewed after each such chunk. */
const CHUNK_ITEMS = 50;
const TURN_SECONDS = 5;
/** After each change the worker rests as long as it took, up to this, and leaves the database to others. */
const REST_MS_MAX = 250;
/** Attempts per batch while the database rejects or does not finish the change. */
const ATTEMPTS_MAX = 3;

const CHANGES = { hold: holdBatch, release: releaseBatch, cancel: cancelBatch } as const;

export interface WorkOptions {
  budgetSeconds: number;
  jobId?: string;
  /** Stops early, after the current batch. */
  isStopping?: () => boolean;
}

interface Job {
  id: string;
  action: BulkAction;
  reason: string;
  createdBy: string;
  requestId: string;
  claimId: string;
}

type Item = Pick<BulkItem, "position" | "contractAddress" | "batchId">;

/** Returns how many it changed. A job belongs to one worker, and each item is done once, in a transaction. */
export async function workBulk(db: Database, options: WorkOptions): Promise<number> {
  const endsAt = performance.now() + options.budgetSeconds * 1000;
  const isOver = () => performance.now() >= endsAt || (options.isStopping?.() ?? false);
  let changed = 0;
  while (!isOver()) {
    const job = await claimJob(db, options.jobId);
    if (!job) break;
    const turnEndsAt = performance.now() + TURN_SECONDS * 1000;
    try {
      changed += await workOn(db, job, () => isOver() || performance.now() >= turnEndsAt);
    } finally {
      await endTurn(db, job).catch(() => undefined);
    }
  }
  return changed;
}

/** Takes the job that waited longest. Only one of several workers that read the same row gets it. */
async function claimJob({ sql }: Database, jobId: string | undefined): Promise<Job | null> {
  const waiting = await sql<{ id: string }[]>`
    select id from bulk_jobs where started_at is not null and finished_at is null and lease_until <= now()
      ${jobId ? sql`and id = ${jobId}` : sql``}
    order by lease_until, id limit 5`;
  for (const { id } of waiting) {
    const claimId = randomUUID();
    const [job] = await sql<Job[]>`
      update bulk_jobs
      set claim_id = ${claimId}, lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
      where id = ${id} and finished_at is null and lease_until <= now()
      returning id, action, reason, created_by as "createdBy", request_id as "requestId",
        claim_id as "claimId"`;
    if (job) return job;
  }
  return null;
}

async function workOn(db: Database, job: Job, isOver: () => boolean): Promise<number> {
  let changed = 0;
  while (await keepsJob(db, job)) {
    const items = await openItems(db, job.id);
    if (items.length === 0) {
      await db.sql`update bulk_jobs set finished_at = now()
        where id = ${job.id} and claim_id = ${job.claimId} and finished_at is null`;
      break;
    }
    for (const item of items) {
      if (isOver()) return changed;
      const startedAt = performance.now();
      const outcome = await change(db, job, item);
      if (outcome === "closed") break;
      if (outcome === "changed") changed++;
      await sleep(Math.min(REST_MS_MAX, performance.now() - startedAt));
    }
  }
  return changed;
}

/** Renews the lease. False when the job was stopped, was lost, or its person has lost the role. */
async function keepsJob({ sql }: Database, job: Job): Promise<boolean> {
  const [allowed] = await sql`
    select 1 from staff
    where email = ${emailOf(job.createdBy)} and disabled_at is null and role in ('operator', 'admin')`;
  const kept = allowed
    ? await sql`
        update bulk_jobs set lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
        where id = ${job.id} and claim_id = ${job.claimId} and finished_at is null returning 1`
    : await sql`
        with stopped as (
          update bulk_jobs set finished_at = now(), stopped_by = 'service'
          where id = ${job.id} and finished_at is null
          returning action
        )
        insert into audit_log (actor, action, target, detail, request_id)
        select 'service', 'bulk.stop', ${bulkTarget(job.id)}, jsonb_build_object('action', action),
          ${job.requestId}
        from stopped`;
  return allowed !== undefined && kept.length > 0;
}

async function openItems({ sql }: Database, jobId: string): Promise<Item[]> {
  const rows = await sql<{ position: number; contract: Buffer; batchId: string }[]>`
    select position, contract_address as contract, batch_id as "batchId" from bulk_job_items
    where job_id = ${jobId} and result is null order by position limit ${CHUNK_ITEMS}`;
  return rows.map(({ contract, ...row }) => ({ ...row, contractAddress: addressFromBytes(contract) }));
}

/** Lets the next worker continue immediately. Stored times are rounded, so `now()` could be in the future. */
async function endTurn({ sql }: Database, job: Job): Promise<void> {
  await sql`update bulk_jobs set lease_until = now() - interval '1 second'
    where id = ${job.id} and claim_id = ${job.claimId} and finished_at is null`;
}

/** Changes one batch for the job's person, or records why not. `closed` when nothing is left to do. */
async function change(db: Database, job: Job, item: Item): Promise<"changed" | "recorded" | "closed"> {
  const ctx: ServiceContext = { db, actor: job.createdBy, requestId: job.requestId };
  const { contractAddress, batchId, position } = item;
  for (let attempt = 1; ; attempt++) {
    try {
      const input = { contractAddress, batchId, reason: job.reason, item: { jobId: job.id, position } };
      await CHANGES[job.action](ctx, input);
      return "changed";
    } catch (error) {
      if (!(await isOpen(db, job, item))) return "closed";
      const batch = await findBatch(ctx, contractAddress, batchId);
      const why = obstacleOf(job.action, batch);
      if (why) {
        await record(db, job, item, { result: "OVERTAKEN", why, ...lastChangeOf(batch) });
        return "recorded";
      }
      const isLast = attempt >= ATTEMPTS_MAX;
      if (isLast && isDatabaseUnavailable(error)) throw error;
      if (isLast) {
        log().error({ error, jobId: job.id, batchId }, "a batch of a bulk job could not be changed");
        await record(db, job, item, { result: "FAILED", why: describeFailure(error), by: null, at: null });
        return "recorded";
      }
      await sleep(REST_MS_MAX);
    }
  }
}

/** By the rule that the change itself obeys. */
async function isOpen(db: Database, job: Job, { position }: Item): Promise<boolean> {
  const open = await db.sql`
    with ${openItem(db, { jobId: job.id, position })} found as (select 1 from open_item) select 1 from found`;
  return open.length > 0;
}

type Outcome = { result: "OVERTAKEN" | "FAILED"; why: string; by: string | null; at: string | null };

async function record({ sql }: Database, job: Job, item: Item, { result, why, by, at }: Outcome) {
  await sql`
    update bulk_job_items set result = ${result}, result_at = now(), why = ${why}, why_by = ${by},
      why_at = ${at}::timestamptz
    where job_id = ${job.id} and position = ${item.position}::int and result is null`;
}

function lastChangeOf(batch: StoredBatch): Pick<Outcome, "by" | "at"> {
  const at = (time: Date | null) => time && toTimestamp(time);
  if (batch.status === "CANCELLED") return { by: batch.cancelledBy, at: at(batch.cancelledAt) };
  if (batch.status === "PENDING") return { by: batch.heldBy, at: at(batch.heldAt) };
  return { by: "finalizer", at: at(batch.finalizedAt ?? batch.claimedAt) };
}

/** Without the database's own text, which is for the log. */
function describeFailure(error: unknown): string {
  if (error instanceof DomainError) return error.message;
  const code = postgresError(error)?.code;
  return code ? `The database returned SQLSTATE ${code}.` : "The change failed. The log has the details.";
}

const TICK_MS = 1000;
const RUN_SECONDS_MAX = 60;

export const startBulkWorker = () =>
  startWorkLoop({
    everyMs: TICK_MS,
    work: (isStopping) => workBulk(database(), { budgetSeconds: RUN_SECONDS_MAX, isStopping }),
    failure: "bulk job run failed, retrying",
  });
