import type { Sql } from "postgres";
import type { Database } from "@/db/client";
import { addressArray, addressToBytes, distinctAddresses } from "@/server/kernel/values/addresses";
import {
  type BatchRow,
  type ListedBatch,
  REVERSAL_COLUMNS,
  type ReversalState,
  toReversalState,
} from "@/server/kernel/values/batch-rows";
import { OVERDUE_AFTER_SECONDS } from "@/server/kernel/values/batch-terms";
import { boundAfter, boundBefore } from "@/server/kernel/values/fields";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";
import { COUNT_MAX, type ReceivedFilters } from "./schema";

/**
 * Transfers with details of their batches, each looked up by key, and whether they match the filters. GROUP BY the key
 * prevents a join of whole tables. OFFSET 0 would do the same, but Citus does not support it there.
 * @param transfers name of a materialized CTE with `created_at`, `batch_seq`, `contract_address` and `points`, aliased as `t`
 */
export const withBatches = (sql: Sql, transfers: string, filters: Partial<ReceivedFilters> = {}) => sql`
  select t.created_at, t.batch_seq, t.contract_address, t.points, b.label, b.id, b.point_type, b.status, b.finalize_at,
    b.held_at, b.awaits_approval, b.held_by, b.hold_reason, b.finalized_at, b.cancelled_at, b.cancelled_by, b.cancel_reason,
    b.reverses_seq is not null as is_reversal,
    ${withinTime(sql, filters)} and ${batchMatches(sql, filters)} as matches
  from ${sql(transfers)} t cross join lateral (
    select b.id, b.point_type, b.status, b.finalize_at, b.held_at, b.awaits_approval, b.held_by, b.hold_reason, b.finalized_at,
      b.cancelled_at, b.cancelled_by, b.cancel_reason, b.reverses_seq, c.label
    from batches b join contracts c on c.address = b.contract_address
    where b.contract_address = t.contract_address and b.seq = t.batch_seq
    group by b.contract_address, b.seq, c.address
  ) b`;

/** The filters on creation time, for a table or CTE with `created_at`. */
export function withinTime(
  sql: Sql,
  { createdAfter, createdBefore }: Pick<ReceivedFilters, "createdAfter" | "createdBefore">,
) {
  const since = boundAfter(createdAfter);
  const until = boundBefore(createdBefore);
  return sql`${since ? sql`created_at > ${since}::timestamptz` : sql`true`}
    and ${until ? sql`created_at < ${until}::timestamptz` : sql`true`}`;
}

/** All other filters, on a transfer `t` and its batch `b`. */
function batchMatches(sql: Sql, filters: Partial<ReceivedFilters>) {
  const { contractAddress, statuses, pointType, held, awaitingApproval, overdue } = filters;
  const isHeld = sql`(b.status = 'PENDING' and b.held_at is not null)`;
  return sql`${contractAddress ? sql`t.contract_address = ${addressToBytes(contractAddress)}` : sql`true`}
    and ${statuses?.length ? sql`b.status::text = any(${`{${statuses.join(",")}}`}::text::text[])` : sql`true`}
    and ${pointType ? sql`b.point_type = ${pointType}` : sql`true`}
    and ${held ? isHeld : sql`true`}
    and ${awaitingApproval ? sql`(b.status = 'PENDING' and b.awaits_approval)` : sql`true`}
    and ${
      overdue
        ? sql`(b.status in ('PENDING', 'FINALIZING') and not ${isHeld} and not b.awaits_approval
            and b.finalize_at < now() - make_interval(secs => ${OVERDUE_AFTER_SECONDS}))`
        : sql`true`
    }`;
}

/** Whether any filter is set. */
export const isFiltered = ({ address: _, ...filters }: ReceivedFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** How the transfers of a page and their reversals refer to each other. */
export interface ReversalLinks {
  /** ID of the batch that a reversal takes back, by the reversal's sequence number. */
  reverses: ReadonlyMap<string, string>;
  /** The reversal of a transfer, by the sequence number of the batch that paid. Not a cancelled one. */
  reversedBy: ReadonlyMap<string, ReversalState>;
}

interface Row {
  contract_address: Buffer;
  batch_seq: string;
  is_reversal: boolean;
}

/** A CTE with what was or is about to be taken back from an address: the latest `COUNT_MAX` + 1, each looked up by key. */
export const takenFrom = (sql: Sql, address: Buffer) => sql`
  reversed_rows as materialized (
    select contract_address, reversal_seq, points from reversed_transfers where to_address = ${address}
    order by reversal_seq desc limit ${COUNT_MAX + 1}
  ), taken as materialized (
    select b.point_type, b.status, r.points from reversed_rows r cross join lateral (
      select point_type, status from batches where contract_address = r.contract_address and seq = r.reversal_seq
      group by contract_address, seq
    ) b
  )`;

export async function readReversalLinks(
  { sql }: Database,
  address: Buffer,
  rows: readonly Row[],
): Promise<ReversalLinks> {
  if (rows.length === 0) return { reverses: new Map(), reversedBy: new Map() };
  const seqsOf = (some: readonly Row[]) => `{${some.map(({ batch_seq }) => batch_seq).join(",")}}`;
  const reversals = rows.filter(({ is_reversal }) => is_reversal);
  // Each once, so that Postgres expects no more lookups than there are.
  const contractsOf = (some: readonly Row[]) =>
    addressArray(distinctAddresses(some.map(({ contract_address }) => contract_address)));
  const [reversed, reversing] = await Promise.all([
    reversals.length > 0
      ? sql<{ seq: string; id: string }[]>`
          select b.seq, o.id from batches b
            join batches o on o.contract_address = b.contract_address and o.seq = b.reverses_seq
          where b.contract_address = any(${contractsOf(reversals)}::bytea[]) and b.seq = any(${seqsOf(reversals)}::text::bigint[])`
      : [],
    sql<(BatchRow & { seq: string })[]>`
      select r.batch_seq as seq, ${sql.unsafe(REVERSAL_COLUMNS)}
      from reversed_transfers r join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
      where r.contract_address = any(${contractsOf(rows)}::bytea[]) and r.to_address = ${address}
        and r.batch_seq = any(${seqsOf(rows)}::text::bigint[])`,
  ]);
  return {
    reverses: new Map(reversed.map(({ seq, id }) => [seq, id])),
    reversedBy: new Map(reversing.map((row) => [row.seq, toReversalState(row)])),
  };
}

/** Max unindexed batches that one query searches. Beyond that, the reply says what is missing. */
const UNINDEXED_BATCHES_MAX = 500;
const UNINDEXED_TRANSFERS_MAX = 100_000;

/**
 * CTEs for queries by recipient. `reach` says whether few enough batches are unindexed to search them, and up to when the
 * index is complete. `unindexed` has their transfers to the address.
 */
export function unindexedTransfers(sql: Sql, address: Buffer) {
  return sql`
    newer_batches as materialized (
      select contract_address, seq, created_at, transfer_count from batches
      where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      order by created_at, seq limit ${UNINDEXED_BATCHES_MAX + 1}
    ), reach as materialized (
      select count(*) <= ${UNINDEXED_BATCHES_MAX} and coalesce(sum(transfer_count), 0) <= ${UNINDEXED_TRANSFERS_MAX} as is_whole,
        (select created_at from recipient_progress) as indexed_until
      from newer_batches
    ), searched_batches as materialized (
      select n.contract_address, n.seq, n.created_at from reach r join newer_batches n on r.is_whole
    ), ${transfersTo(sql, address, "searched_batches")}`;
}

/**
 * CTEs that end in `unindexed`: the transfers of some batches to an address. Searches the packed addresses for the address
 * bytes first, and unpacks only rows that match. A match can also span two neighboring addresses.
 * @param batches name of a materialized CTE with `contract_address`, `seq` and `created_at`
 */
export function transfersTo(sql: Sql, address: Buffer, batches: string) {
  // Materialized first. Otherwise the search would be pushed into the scan and read the addresses of every batch.
  // `any(array(…))` forces a lookup by key. The planner overestimates the number of batches and would scan all of them.
  return sql`
    searched as materialized (
      select n.created_at, t.contract_address, t.batch_seq, t.addresses, t.points
      from ${sql(batches)} n join batch_transfers t on t.batch_seq = n.seq and t.contract_address = n.contract_address
      where t.batch_seq = any(array(select seq from ${sql(batches)}))
    ), hits as materialized (
      select t.created_at, ${sql.unsafe(PACKED_COLUMNS)} from searched t where position(${address}::bytea in t.addresses) > 0
    ), unindexed as materialized (
      select created_at, batch_seq, contract_address, points
      from (${unpacked(sql, "hits", "p.created_at, p.batch_seq, p.contract_address")}) as transfers
      where to_address = ${address}
    )`;
}

/** A batch that the recipient index has not reached yet. */
export type UnindexedBatch = Pick<ListedBatch, "contractAddress" | "seq" | "createdAt">;

/**
 * Batches newer than the recipient index that pay an address. A separate query, because the planner cannot know how few
 * they are.
 */
export async function findUnindexedBatches(db: Database, recipient: Buffer): Promise<UnindexedBatch[]> {
  return await db.sql<UnindexedBatch[]>`
    with newer as materialized (
      select contract_address, seq, created_at from batches
      where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
    ), ${transfersTo(db.sql, recipient, "newer")}
    select contract_address as "contractAddress", batch_seq as seq, created_at as "createdAt" from unindexed`;
}
