import { type Database, within } from "@/db/client";
import { audited } from "@/server/audit/audited";
import { needsOfSums } from "@/server/batches/submit/submit-batch";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";
import { invalid } from "@/server/kernel/to-domain-error";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import {
  type BulkAction,
  type BulkItem,
  type BulkJob,
  type BulkResult,
  type BulkStartInput,
  type Obstacles,
  PREVIEW_MINUTES,
  type Share,
} from "./schema";

/**
 * Only for the person who made the preview. Idempotent. The contract's rules weigh the sum of a take back
 * now: all of its reversals await approval, or none for its amount.
 * @throws DomainError `validation_failed`
 */
export async function startBulk(ctx: ServiceContext, input: BulkStartInput): Promise<{ jobId: string }> {
  const { jobId, reason, secondsToFinalize } = input;
  const { sql } = ctx.db;
  const waitSeconds = secondsToFinalize ?? settings().DEFAULT_FINALIZE_SECONDS;
  const detail = sql`jsonb_build_object('action', action, 'batches', item_count, 'reason', ${reason}::text)`;
  const isStarted = await sql.begin(async (tx) => {
    const on = { ...ctx, db: within(ctx.db, tx) };
    const [started] = await tx<{ action: BulkAction }[]>`
      with started as (
        update bulk_jobs set started_at = now(), lease_until = now() - interval '1 second',
          reason = ${reason}, request_id = ${ctx.requestId},
          wait_seconds = case when action = 'reverse' then ${waitSeconds}::int end
        where id = ${jobId} and created_by = ${ctx.actor} and started_at is null
          and frozen_at > now() - make_interval(mins => ${PREVIEW_MINUTES}::int)
          and exists (select 1 from bulk_job_items where job_id = ${jobId} and result is null)
        returning action, item_count
      ), ${audited(ctx, { action: "bulk.start", target: bulkTarget(jobId), detail, of: "started" })}
      select action from started`;
    if (started?.action === "reverse") await weighTakeBack(on, jobId);
    return started !== undefined;
  });
  if (isStarted) return { jobId };
  const [known] = await sql<{ isStarted: boolean; isOwn: boolean; isDoable: boolean }[]>`
    select started_at is not null as "isStarted", created_by = ${ctx.actor} as "isOwn",
      exists (select 1 from bulk_job_items where job_id = ${jobId} and result is null) as "isDoable"
    from bulk_jobs where id = ${jobId}`;
  if (known?.isStarted && known.isOwn) return { jobId };
  if (known?.isOwn && !known.isDoable) throw invalid("None of these batches can be changed.");
  throw invalid("The preview has expired. Select the batches again.");
}

/** All items are of one contract. */
async function weighTakeBack({ db: { sql } }: ServiceContext, jobId: string): Promise<void> {
  const sums = await sql<{ contract: Buffer; pointType: PointType; points: string }[]>`
    select contract_address as contract, point_type as "pointType", sum(points)::text as points
    from bulk_job_items where job_id = ${jobId} and result is null group by 1, 2 order by 2`;
  const { contract } = sums[0]!;
  const needs = await sql<{ pointType: PointType; need: string | null }[]>`
    with moment as materialized (select clock_timestamp() as at), weighed as materialized (
      select w.*, points as weight
      from unnest(${sums.map(({ pointType }) => pointType)}::text[]::point_type[],
        ${sums.map(({ points }) => points)}::text[]::numeric[]) as w (point_type, points)
    ), ${needsOfSums(sql, contract)}
    select point_type as "pointType", need from needs where need is not null`;
  const text = JSON.stringify(Object.fromEntries(needs.map(({ pointType, need }) => [pointType, need])));
  await sql`update bulk_jobs set needs = ${text}::text::jsonb where id = ${jobId}`;
}

/** What a stopped job changed stays changed. An ended one stays as it is. @throws DomainError `not_found` */
export async function stopBulk(ctx: ServiceContext, { jobId }: { jobId: string }): Promise<void> {
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('action', action)`;
  const stopped = await sql`
    with stopped as (
      update bulk_jobs set finished_at = now(), stopped_by = ${ctx.actor}
      where id = ${jobId} and started_at is not null and finished_at is null
      returning action
    ), ${audited(ctx, { action: "bulk.stop", target: bulkTarget(jobId), detail, of: "stopped" })}
    select 1 from stopped`;
  if (stopped.length > 0) return;
  const [known] = await sql`select 1 from bulk_jobs where id = ${jobId} and started_at is not null`;
  if (!known) throw bulkNotFound();
}

const bulkTarget = (jobId: string) => `bulk:${jobId}`;

export const bulkNotFound = () =>
  new DomainError("not_found", "There is no bulk action with this ID. They are kept for 90 days.");

/** A started job with its counts. @throws DomainError `not_found` */
export async function getBulkJob(ctx: ServiceContext, { jobId }: { jobId: string }): Promise<BulkJob> {
  const [row] = await ctx.db.sql<Omit<BulkJob, "status" | "open" | "done" | "obstacles">[]>`
    select id, action, reason, created_by as "createdBy", started_at as "startedAt",
      finished_at as "finishedAt", stopped_by as "stoppedBy", item_count as batches
    from bulk_jobs where started_at is not null and id = ${jobId}`;
  if (!row) throw bulkNotFound();
  const groups = await groupItems(ctx.db, jobId);
  return {
    ...withTimes(row, "startedAt", "finishedAt"),
    status: row.stoppedBy ? "STOPPED" : row.finishedAt ? "FINISHED" : "RUNNING",
    open: shareOf(groups.filter(({ result }) => result === null)),
    done: shareOf(groups.filter(({ result }) => result === "DONE")),
    obstacles: obstaclesIn(groups),
  };
}

const PAGE_ROWS = 200;

export async function* exportBulkItems(
  ctx: ServiceContext,
  { jobId }: { jobId: string },
): AsyncGenerator<BulkItem[], void, undefined> {
  for (let from = 0; ; from += PAGE_ROWS) {
    const items = await readItems(ctx, jobId, from);
    if (items.length === 0) return;
    yield items;
  }
}

/** Each with the status of its batch now, which others may have changed since the job. */
async function readItems({ db: { sql } }: ServiceContext, jobId: string, from: number): Promise<BulkItem[]> {
  const rows = await sql<(Omit<BulkItem, "contractAddress"> & { contract: Buffer })[]>`
    with page as materialized (
      select position, contract_address as contract, batch_id as "batchId", point_type as "pointType",
        points, transfer_count as "transferCount",
        result, result_at as "resultAt", why, why_by as "whyBy", why_at as "whyAt"
      from bulk_job_items
      where job_id = ${jobId} and position >= ${from}::int and position < ${from + PAGE_ROWS}::int
      order by position
    )
    select page.*, c.label as "contractLabel", b.status, b.reverses_seq as "reversesSeq"
    from page
      join contracts c on c.address = page.contract
      join batches b on b.contract_address = page.contract and b.id = page."batchId"
    order by page.position`;
  return rows.map(
    ({ contract, ...row }): BulkItem => ({
      ...withPoints(withTimes(row, "resultAt", "whyAt"), "points"),
      contractAddress: addressFromBytes(contract),
    }),
  );
}

interface ItemGroup {
  result: BulkResult | null;
  why: string | null;
  pointType: PointType;
  batches: number;
  transfers: number;
  points: string;
}

/** A job's items `i`, or what a join leaves of them, by result, reason and type. Postgres adds up exactly. */
export const groupItems = async ({ sql }: Database, jobId: string, joined = ""): Promise<ItemGroup[]> =>
  await sql<ItemGroup[]>`
    select result, why, i.point_type as "pointType", count(*)::int as batches,
      sum(i.transfer_count)::float8 as transfers, sum(i.points)::text as points
    from bulk_job_items i ${sql.unsafe(joined)} where job_id = ${jobId} group by 1, 2, 3 order by 1, 2, 3`;

export function shareOf(groups: readonly ItemGroup[]): Share {
  const sum = (of: (group: ItemGroup) => number) => groups.reduce((total, group) => total + of(group), 0);
  const amounts = POINT_TYPES.flatMap((pointType) => {
    const own = groups.filter((group) => group.pointType === pointType);
    const units = own.reduce((total, { points }) => total + parseSum(shortestPoints(points)), 0n);
    return own.length > 0 ? [{ pointType, points: formatPoints(units) }] : [];
  });
  return { batches: sum(({ batches }) => batches), transfers: sum(({ transfers }) => transfers), amounts };
}

export function obstaclesIn(groups: readonly ItemGroup[]): Obstacles {
  const kindOf = ({ result, why }: ItemGroup) => (why === null ? [] : `${result} ${why}`);
  return [...new Set(groups.flatMap(kindOf))].map((kind) => {
    const own = groups.filter((group) => kindOf(group) === kind);
    return { result: own[0]!.result!, why: own[0]!.why!, ...shareOf(own) };
  });
}
