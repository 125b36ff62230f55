import type { ServiceContext } from "../../kernel/context";
import { addressFromBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import { shortestPoints } from "../../kernel/values/points";
import type { BatchFilters } from "../list/console-schema";
import { labelsOf } from "../list/list-console-batches";
import {
  BULK_PAGE_ROWS_MAX,
  type BulkAction,
  type BulkItem,
  type BulkItemsInput,
  type BulkJob,
} from "./bulk-schema";
import { groupItems, obstaclesIn, shareOf } from "./shares";
import { bulkNotFound } from "./start-bulk";

/** Jobs shown in the list of recent ones. */
const RECENT_MAX = 20;

interface JobRow {
  id: string;
  action: BulkAction;
  reason: string;
  created_by: string;
  filters: BatchFilters | null;
  frozen_at: string;
  started_at: string;
  finished_at: string | null;
  stopped_by: string | null;
  item_count: number;
  now: string;
}

/** A started job with its counts. @throws DomainError `not_found` */
export async function getBulkJob(ctx: ServiceContext, { jobId }: { jobId: string }): Promise<BulkJob> {
  const { sql } = ctx.db;
  const [row] = await sql<JobRow[]>`
    select *, now() as now from bulk_jobs where id = ${jobId} and started_at is not null`;
  if (!row) throw bulkNotFound();
  return toJob(ctx, row);
}

/** The latest jobs, newest first. */
export async function listBulkJobs(ctx: ServiceContext): Promise<BulkJob[]> {
  const { sql } = ctx.db;
  const rows = await sql<JobRow[]>`
    select *, now() as now from bulk_jobs where started_at is not null
    order by started_at desc, id desc limit ${RECENT_MAX}`;
  const jobs: BulkJob[] = [];
  for (const row of rows) jobs.push(await toJob(ctx, row));
  return jobs;
}

async function toJob(ctx: ServiceContext, row: JobRow): Promise<BulkJob> {
  const groups = await groupItems(ctx.db, row.id);
  return {
    id: row.id,
    action: row.action,
    status: row.stopped_by ? "STOPPED" : row.finished_at ? "FINISHED" : "RUNNING",
    reason: row.reason,
    createdBy: row.created_by,
    filters: row.filters,
    frozenAt: toTimestamp(row.frozen_at),
    startedAt: toTimestamp(row.started_at),
    finishedAt: row.finished_at && toTimestamp(row.finished_at),
    stoppedBy: row.stopped_by,
    batches: row.item_count,
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
  const labels = await labelsOf(
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
  let cursor: number | null = null;
  do {
    const page: Awaited<ReturnType<typeof listBulkItems>> = await listBulkItems(ctx, { jobId, cursor });
    if (page.items.length > 0) yield page.items;
    cursor = page.cursor;
  } while (cursor !== null);
}
