import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";

/** The items of a bulk job (server/batches/bulk) for which batches are changed. */
export interface JobItems {
  jobId: string;
  positions: readonly number[];
}

/** Batches of one contract that are changed together, and why. */
export interface GroupInput {
  contractAddress: string;
  /** Of one point type, since a statement that writes several accounts must do so in their order. */
  batchIds: readonly string[];
  reason?: string | undefined;
  /** The items of a bulk job. A batch is changed only if its item is still to be done. */
  items?: JobItems | undefined;
}

/**
 * A CTE with the items that are still to be done, while their job was not stopped and the job's person may
 * still change batches. It locks them, so that two workers never change the same batch for one item, even if
 * someone undoes the first change in between.
 */
export const openItems = ({ sql }: Database, { jobId, positions }: JobItems) => sql`
  open_items as materialized (
    select i.position, i.batch_id from bulk_job_items i
    where i.job_id = ${jobId} and i.position = any(${`{${positions.join(",")}}`}::text::int[])
      and i.result is null
      and i.job_id in (
        select j.id from bulk_jobs j join staff p on 'staff:' || p.email = j.created_by
        where j.id = ${jobId} and j.started_at is not null and j.finished_at is null
          and p.disabled_at is null and p.role in ('operator', 'admin'))
    order by i.position for update of i
  )`;

/**
 * The CTE `locked` with the batches to change that meet a condition, in the order in which the release of a
 * payout locks them. It cannot leave out those whose item is not open: Citus 13.2.2 garbles a subquery there.
 */
export function lockBatches(db: Database, { contractAddress, batchIds, items }: GroupInput, where: Fragment) {
  const { sql } = db;
  return sql`${items ? sql`${openItems(db, items)},` : sql``} locked as materialized (
      select seq from batches
      where contract_address = ${addressToBytes(contractAddress)} and id = any(${batchIds}::text[])
        and ${where}
      order by seq for update
    )`;
}

/** Also names them where it changes them, or Postgres may read all that the contract has pending. */
export const isLocked = ({ sql }: Database, { batchIds, items }: GroupInput) =>
  sql`id = any(${batchIds}::text[]) and seq in (select seq from locked)
    ${items ? sql`and id in (select batch_id from open_items)` : sql``}`;

/**
 * A CTE that writes the items' results in the transaction of the change: a crash cannot separate them.
 * @param changed a CTE with the `id` of each batch that was changed
 */
export function recordItems({ sql }: Database, items: JobItems | undefined, changed: string) {
  if (!items) return sql``;
  return sql`, recorded as (
    update bulk_job_items i set result = 'DONE', result_at = now()
    from open_items o join ${sql(changed)} c on c.id = o.batch_id
    where i.job_id = ${items.jobId} and i.position = o.position and i.result is null)`;
}

/** What the audit log records about the job. */
export const auditedItems = (items: JobItems | undefined): Record<string, string> =>
  items ? { job: items.jobId } : {};
