import type { ServiceContext } from "../../kernel/context";
import { DomainError } from "../../kernel/values/problems";
import { type BulkStartInput, PREVIEW_MINUTES } from "./bulk-schema";

/**
 * Starts a previewed job. Workers then change its batches one by one. Only the person who made the preview can start it;
 * starting it again changes nothing.
 * @throws DomainError `validation_failed` when the preview has expired or none of its batches can be changed
 */
export async function startBulk(ctx: ServiceContext, input: BulkStartInput): Promise<{ jobId: string }> {
  const { jobId, reason } = input;
  const { sql } = ctx.db;
  const started = await sql`
    with started as (
      update bulk_jobs set started_at = now(), lease_until = now() - interval '1 second', reason = ${reason},
        request_id = ${ctx.requestId}
      where id = ${jobId} and created_by = ${ctx.actor} and started_at is null
        and frozen_at > now() - make_interval(mins => ${PREVIEW_MINUTES}::int)
        and exists (select 1 from bulk_job_items where job_id = ${jobId} and result is null)
      returning action, item_count
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'bulk.start', ${bulkTarget(jobId)},
        jsonb_build_object('action', action, 'batches', item_count, 'reason', ${reason}::text), ${ctx.requestId}
      from started)
    select 1 from started`;
  if (started.length > 0) return { jobId };
  const [known] = await sql<{ isStarted: boolean; isOwn: boolean; isDoable: boolean }[]>`
    select started_at is not null as "isStarted", created_by = ${ctx.actor} as "isOwn",
      exists (select 1 from bulk_job_items where job_id = ${jobId} and result is null) as "isDoable"
    from bulk_jobs where id = ${jobId}`;
  if (known?.isStarted && known.isOwn) return { jobId };
  if (known?.isOwn && !known.isDoable)
    throw new DomainError("validation_failed", "None of these batches can be changed.");
  throw new DomainError("validation_failed", "The preview has expired. Select the batches again.");
}

/**
 * Stops a job: no further batch is changed. What it changed stays changed. Stopping an ended job changes nothing.
 * @throws DomainError `not_found`
 */
export async function stopBulk(ctx: ServiceContext, { jobId }: { jobId: string }): Promise<void> {
  const { sql } = ctx.db;
  const stopped = await sql`
    with stopped as (
      update bulk_jobs set finished_at = now(), stopped_by = ${ctx.actor}
      where id = ${jobId} and started_at is not null and finished_at is null
      returning action
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'bulk.stop', ${bulkTarget(jobId)}, jsonb_build_object('action', action), ${ctx.requestId}
      from stopped)
    select 1 from stopped`;
  if (stopped.length > 0) return;
  const [known] = await sql`select 1 from bulk_jobs where id = ${jobId} and started_at is not null`;
  if (!known) throw bulkNotFound();
}

/** The target of a job in the audit log. */
export const bulkTarget = (jobId: string) => `bulk:${jobId}`;

export const bulkNotFound = () =>
  new DomainError("not_found", "There is no bulk job with this ID. Jobs are kept for 90 days.");
