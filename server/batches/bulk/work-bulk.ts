import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/db/client";
import { approveGroup } from "@/server/batches/change/approve-batch";
import { cancelGroup } from "@/server/batches/change/cancel-batch";
import { holdGroup, releaseGroup } from "@/server/batches/change/hold-batch";
import { type JobItems, openItems } from "@/server/batches/change/job-item";
import { reverseGroup } from "@/server/batches/reversal/reverse-batch";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { isDatabaseUnavailable, postgresError } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { startWorkLoop } from "@/server/kernel/work-loop";
import { barredFor, emailOf, isOfOthers } from "@/server/staff/second-person";
import type { PointType } from "@/terms/batch-terms";
import { DomainError } from "@/terms/problems";
import { stopBulk } from "./jobs";
import { OBSTACLES } from "./preview-bulk";
import type { BulkAction, BulkItem } from "./schema";

/** How long a job belongs to its worker. After a crash another worker continues when this has passed. */
const LEASE_SECONDS = 30;
/**
 * Items read at a time, of which those of one contract and point type are changed by one statement. The lease
 * is renewed after each such chunk.
 */
const CHUNK_ITEMS = 250;
/** A take back writes each transfer. */
const CHUNK_TRANSFERS = 20_000;
const TURN_SECONDS = 5;
/** After each change the worker rests as long as it took, up to this, and leaves the database to others. */
const REST_MS_MAX = 250;
/** Attempts per batch while the database rejects or does not finish the change. */
const ATTEMPTS_MAX = 3;

const CHANGES = {
  hold: holdGroup,
  release: releaseGroup,
  cancel: cancelGroup,
  reverse: reverseGroup,
  approve: approveGroup,
} as const satisfies Record<BulkAction, unknown>;

export interface WorkOptions {
  budgetSeconds: number;
  jobId?: string;
  /** Stops early, after the current statement. */
  isStopping?: () => boolean;
}

interface Job {
  id: string;
  action: BulkAction;
  reason: string;
  createdBy: string;
  requestId: string;
  claimId: string;
  waitSeconds: number;
  needs: Partial<Record<PointType, string>>;
}

/** Items of one contract and point type. */
interface Group extends JobItems {
  contractAddress: string;
  batchIds: string[];
  positions: number[];
}

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

/**
 * Takes the job that waited longest, of what stops payments first. Only one of several workers that read the
 * same row gets it.
 */
async function claimJob({ sql }: Database, jobId: string | undefined): Promise<Job | null> {
  const waiting = await sql<{ id: string }[]>`
    select id from bulk_jobs where started_at is not null and finished_at is null and lease_until <= now()
      ${jobId ? sql`and id = ${jobId}` : sql``}
    order by action in ('hold', 'cancel') desc, lease_until, id limit 5`;
  for (const { id } of waiting) {
    const claimId = randomUUID();
    const [job] = await sql<Job[]>`
      update bulk_jobs
      set claim_id = ${claimId}, lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
      where id = ${id} and finished_at is null and lease_until <= now()
      returning id, action, reason, created_by as "createdBy", request_id as "requestId",
        claim_id as "claimId", coalesce(wait_seconds, 0) as "waitSeconds", coalesce(needs, '{}') as needs`;
    if (job) return job;
  }
  return null;
}

async function workOn(db: Database, job: Job, isOver: () => boolean): Promise<number> {
  let changed = 0;
  while (await keepsJob(db, job)) {
    const groups = await nextGroups(db, job.id);
    if (groups.length === 0) {
      await db.sql`update bulk_jobs set finished_at = now()
        where id = ${job.id} and claim_id = ${job.claimId} and finished_at is null`;
      break;
    }
    for (const group of groups) {
      if (isOver()) return changed;
      const startedAt = performance.now();
      changed += await change(db, job, group, isOver);
      await sleep(Math.min(REST_MS_MAX, performance.now() - startedAt));
    }
  }
  return changed;
}

/** Renews the lease. False when the job was stopped, was lost, or its person has lost the role. */
async function keepsJob(db: Database, job: Job): Promise<boolean> {
  const [allowed] = await db.sql`
    select 1 from staff
    where email = ${emailOf(job.createdBy)} and disabled_at is null and role in ('operator', 'admin')`;
  if (!allowed) {
    await stopBulk({ db, actor: "service", requestId: job.requestId }, { jobId: job.id });
    return false;
  }
  const kept = await db.sql`
    update bulk_jobs set lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
    where id = ${job.id} and claim_id = ${job.claimId} and finished_at is null returning 1`;
  return kept.length > 0;
}

async function nextGroups({ sql }: Database, jobId: string): Promise<Group[]> {
  const rows = await sql<{ contract: Buffer; batchIds: string[]; positions: number[] }[]>`
    select contract_address as contract, array_agg(batch_id order by position) as "batchIds",
      array_agg(position order by position) as positions
    from (
      select position, contract_address, point_type, batch_id,
        sum(transfer_count) over (order by position) - transfer_count as before
      from bulk_job_items
      where job_id = ${jobId} and result is null
      order by position
      limit ${CHUNK_ITEMS}
    ) next
    where before < ${CHUNK_TRANSFERS}::int
    group by contract_address, point_type
    order by min(position)`;
  return rows.map(({ contract, ...row }) => ({ ...row, jobId, contractAddress: addressFromBytes(contract) }));
}

/** Lets the next worker continue immediately. Stored times are rounded, so `now()` could be in the future. */
async function endTurn({ sql }: Database, job: Job): Promise<void> {
  await sql`update bulk_jobs set lease_until = now() - interval '1 second'
    where id = ${job.id} and claim_id = ${job.claimId} and finished_at is null`;
}

/**
 * Changes batches for the job's person, and records why some were not changed. If the database refuses a
 * group, its batches are tried one by one, so that one does not keep the others.
 * @returns how many it changed
 */
async function change(
  db: Database,
  job: Job,
  group: Group,
  isOver: () => boolean,
  attempt = 1,
): Promise<number> {
  const ctx: ServiceContext = { db, actor: job.createdBy, requestId: job.requestId };
  const { contractAddress, batchIds, positions } = group;
  const { reason, waitSeconds, needs } = job;
  const given = { contractAddress, batchIds, reason, items: group, waitSeconds, needs };
  let failure: unknown;
  let changed = 0;
  let barred: string[] = [];
  try {
    changed = await CHANGES[job.action](ctx, given);
    if (job.action === "approve") barred = await barredFor(db.sql, job.createdBy);
  } catch (error) {
    failure = error;
  }
  if (changed === batchIds.length) return changed;
  const left = await recordOvertaken(db, job, group, barred);
  if (batchIds.length > 1 || left.length === 0) {
    for (const one of left) if (!isOver()) changed += await change(db, job, one, isOver);
    return changed;
  }
  const isRefused = failure instanceof DomainError && failure.code !== "unavailable";
  if (attempt < ATTEMPTS_MAX && !isRefused) {
    // It may have waited for a lock, and stays open for the next turn.
    if (isOver()) return changed;
    await sleep(REST_MS_MAX);
    return await change(db, job, group, isOver, attempt + 1);
  }
  if (isDatabaseUnavailable(failure)) throw failure;
  if (!isRefused) log().error({ error: failure, ...group }, "a batch of a bulk action could not be changed");
  const why = describeFailure(failure);
  await record(db, job, [{ position: positions[0]!, result: "FAILED", why, by: null, at: null }]);
  return changed;
}

/**
 * Records which items of a group that are open, by the rule that the change itself obeys, cannot be done in
 * the state in which their batches are now.
 * @returns the others, one by one
 */
async function recordOvertaken(
  db: Database,
  job: Job,
  group: Group,
  barred: readonly string[],
): Promise<Group[]> {
  const contract = addressToBytes(group.contractAddress);
  const { sql } = db;
  const found = await sql<(Outcome & { id: string })[]>`
    with ${openItems(db, group)}, states as (
      select i.position, b.*, not ${isOfOthers(sql, barred)} as is_own, (
          select count(*)
          from reversed_transfers m
          where m.contract_address = ${contract} and m.batch_seq = b.seq
        ) = b.transfer_count as is_taken_back
      from open_items i
        join batches b on b.id = i.batch_id
      where b.contract_address = ${contract}
    ), judged as (select *, ${sql.unsafe(OBSTACLES[job.action])} as why from states)
    select position, id, 'OVERTAKEN' as result, why,
      case when why = 'DECIDED' then approved_by when status = 'CANCELLED' then cancelled_by
        when status = 'PENDING' then held_by when not is_taken_back then 'finalizer' end as by,
      case when why = 'DECIDED' then approved_at when status = 'CANCELLED' then cancelled_at
        when status = 'PENDING' then held_at
        when not is_taken_back then coalesce(finalized_at, claimed_at) end as at
    from judged
    order by position`;
  await record(
    db,
    job,
    found.filter(({ why }) => why !== null),
  );
  return found
    .filter(({ why }) => why === null)
    .map(({ id, position }) => ({ ...group, batchIds: [id], positions: [position] }));
}

type Outcome = Pick<BulkItem, "result" | "why"> & { position: number; by: string | null; at: Date | null };

async function record({ sql }: Database, job: Job, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`
    update bulk_job_items i
    set result = o.result, result_at = now(), why = o.why, why_by = o.by, why_at = o.at
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb)
      as o (position integer, result text, why text, by text, at timestamptz)
    where i.job_id = ${job.id} and i.position = o.position and i.result is null`;
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
    failure: "bulk action failed, retrying",
  });
