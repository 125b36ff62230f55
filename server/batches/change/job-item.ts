import type { Database } from "@/db/client";

/** The item of a bulk job (server/batches/bulk) for which a batch is changed. */
export interface JobItem {
  jobId: string;
  position: number;
}

/**
 * A CTE with a row while the item is still to be done, its job was not stopped, and the job's person may
 * still change batches. It locks the item, so that two workers never change the same batch for one item, even
 * if someone undoes the first change in between.
 */
export function openItem({ sql }: Database, item: JobItem | undefined) {
  if (!item) return sql``;
  return sql`open_item as materialized (
    select i.position from bulk_job_items i
    where i.job_id = ${item.jobId} and i.position = ${item.position}::int and i.result is null
      and i.job_id in (
        select j.id from bulk_jobs j join staff p on 'staff:' || p.email = j.created_by
        where j.id = ${item.jobId} and j.started_at is not null and j.finished_at is null
          and p.disabled_at is null and p.role in ('operator', 'admin'))
    for update of i
  ),`;
}

/** Reads the CTE above in the FROM of the change, so that nothing is changed without its row. */
export const whenOpen = ({ sql }: Database, item: JobItem | undefined, before: "from" | ",") =>
  item ? sql`${sql.unsafe(before)} open_item` : sql``;

/** Writes the item's result in the transaction of the change, so that a crash cannot separate them. */
export function recordItem({ sql }: Database, item: JobItem | undefined, changed: string) {
  if (!item) return sql``;
  return sql`, recorded as (
    update bulk_job_items set result = 'DONE', result_at = now() from ${sql(changed)}
    where job_id = ${item.jobId} and position = ${item.position}::int and result is null)`;
}

/** What the audit log records about the job. */
export const auditedItem = (item: JobItem | undefined): Record<string, string> =>
  item ? { job: item.jobId } : {};
