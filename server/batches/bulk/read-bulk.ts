import type { Database } from "@/db/client";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import type { ServiceContext } from "../../kernel/context";
import { allPages } from "../../kernel/cursor";
import { addressFromBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import { formatPoints, parseSum, shortestPoints } from "../../kernel/values/points";
import { contractLabels } from "../list/list-console-batches";
import type { BulkResult, Obstacles, Share } from "./bulk-schema";
import { BULK_PAGE_ROWS_MAX, type BulkItem, type BulkItemsInput, type BulkJob } from "./bulk-schema";
import { bulkNotFound } from "./start-bulk";

/** Jobs shown in the list of recent ones. */
const RECENT_MAX = 20;

type JobRow = Omit<BulkJob, "status" | "open" | "done" | "obstacles">;

/** A select of started jobs. */
const startedJobs = ({ sql }: ServiceContext["db"]) => sql`
  select id, action, reason, created_by as "createdBy", filters, frozen_at as "frozenAt", started_at as "startedAt",
    finished_at as "finishedAt", stopped_by as "stoppedBy", item_count as batches, now() as now
  from bulk_jobs where started_at is not null`;

/** A started job with its counts. @throws DomainError `not_found` */
export async function getBulkJob(ctx: ServiceContext, { jobId }: { jobId: string }): Promise<BulkJob> {
  const [row] = await ctx.db.sql<JobRow[]>`${startedJobs(ctx.db)} and id = ${jobId}`;
  if (!row) throw bulkNotFound();
  return toJob(ctx, row);
}

/** The latest jobs, newest first. */
export async function listBulkJobs(ctx: ServiceContext): Promise<BulkJob[]> {
  const rows = await ctx.db.sql<JobRow[]>`
    ${startedJobs(ctx.db)} order by started_at desc, id desc limit ${RECENT_MAX}`;
  const jobs: BulkJob[] = [];
  for (const row of rows) jobs.push(await toJob(ctx, row));
  return jobs;
}

async function toJob(ctx: ServiceContext, row: JobRow): Promise<BulkJob> {
  const groups = await groupItems(ctx.db, row.id);
  return {
    ...row,
    status: row.stoppedBy ? "STOPPED" : row.finishedAt ? "FINISHED" : "RUNNING",
    frozenAt: toTimestamp(row.frozenAt),
    startedAt: toTimestamp(row.startedAt),
    finishedAt: row.finishedAt && toTimestamp(row.finishedAt),
    open: shareOf(groups.filter(({ result }) => result === null)),
    done: shareOf(groups.filter(({ result }) => result === "DONE")),
    obstacles: obstaclesIn(groups),
    now: toTimestamp(row.now),
  };
}

interface ItemRow extends Omit<BulkItem, "contractAddress" | "contractLabel"> {
  contract: Buffer;
}

/** One page of a job's batches, in the order in which it does them. */
export async function listBulkItems(
  ctx: ServiceContext,
  input: BulkItemsInput,
): Promise<{ items: BulkItem[]; cursor: number | null }> {
  const { sql } = ctx.db;
  const limit = input.limit ?? BULK_PAGE_ROWS_MAX;
  const rows = await sql<ItemRow[]>`
    select position, contract_address as contract, batch_id as "batchId", point_type as "pointType", points,
      transfer_count as "transferCount", result, result_at as "resultAt", why, why_by as "whyBy", why_at as "whyAt"
    from bulk_job_items
    where job_id = ${input.jobId} and position >= ${input.cursor ?? 0}::int
      ${input.results ? sql`and result = any(${`{${input.results.join(",")}}`}::text::text[])` : sql``}
    order by position limit ${limit + 1}`;
  const labels = await contractLabels(
    ctx,
    rows.map(({ contract }) => contract),
  );
  const items = rows.slice(0, limit).map(({ contract, ...row }): BulkItem => {
    const contractAddress = addressFromBytes(contract);
    return {
      ...row,
      contractAddress,
      contractLabel: labels.get(contractAddress) ?? "",
      points: shortestPoints(row.points),
      resultAt: row.resultAt && toTimestamp(row.resultAt),
      whyAt: row.whyAt && toTimestamp(row.whyAt),
    };
  });
  return { items, cursor: rows.length > limit ? rows.at(-1)!.position : null };
}

/** Streams all batches of a job, one page at a time, so that memory stays constant. */
export async function* exportBulkItems(
  ctx: ServiceContext,
  { jobId }: { jobId: string },
): AsyncGenerator<BulkItem[], void, undefined> {
  const pages = allPages((cursor: number | null) => listBulkItems(ctx, { jobId, cursor }));
  for await (const { items } of pages) yield items;
}

interface ItemGroup {
  result: BulkResult | null;
  why: string | null;
  pointType: PointType;
  batches: number;
  transfers: number;
  points: string;
}

/** The items of a job by result, reason and point type. Postgres adds up the amounts, so they are exact. */
export async function groupItems({ sql }: Database, jobId: string): Promise<ItemGroup[]> {
  const rows = await sql<(Omit<ItemGroup, "transfers"> & { transfers: string })[]>`
    select result, why, point_type as "pointType", count(*)::int as batches,
      sum(transfer_count)::text as transfers, sum(points)::text as points
    from bulk_job_items where job_id = ${jobId} group by 1, 2, 3 order by 1, 2, 3`;
  return rows.map((row) => ({ ...row, transfers: Number(row.transfers) }));
}

/** Adds groups up, with one exact amount per point type. */
export function shareOf(groups: readonly ItemGroup[]): Share {
  const sum = (of: (group: ItemGroup) => number) => groups.reduce((total, group) => total + of(group), 0);
  const amounts = POINT_TYPES.flatMap((pointType) => {
    const own = groups.filter((group) => group.pointType === pointType);
    const units = own.reduce((total, { points }) => total + parseSum(shortestPoints(points)), 0n);
    return own.length > 0 ? [{ pointType, points: formatPoints(units) }] : [];
  });
  return { batches: sum(({ batches }) => batches), transfers: sum(({ transfers }) => transfers), amounts };
}

/** The batches that were not changed, by result and reason. */
export function obstaclesIn(groups: readonly ItemGroup[]): Obstacles {
  const kinds = new Map<string, ItemGroup[]>();
  for (const group of groups)
    if (group.why !== null) {
      const kind = `${group.result} ${group.why}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), group]);
    }
  return [...kinds.values()].map((own) => ({
    result: own[0]!.result as Exclude<BulkResult, "DONE">,
    why: own[0]!.why!,
    ...shareOf(own),
  }));
}
