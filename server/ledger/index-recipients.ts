import type { Sql } from "postgres";
import type { Database } from "@/db/client";
import type { ListedBatch } from "@/server/kernel/batch-rows";
import { crossingShards } from "@/server/kernel/shards";
import { creationHorizon } from "./creation-order";
import { PACKED_COLUMNS, unpacked } from "./packed-transfers";

const BATCHES_MAX = 200;

/** Stops before the oldest submit in flight, so it skips none. Returns how many batches it indexed. */
export async function indexRecipients(db: Database): Promise<number> {
  const horizon = await creationHorizon(db);
  const [row] = await crossingShards(db, (on) => indexStatement(on, horizon));
  return row!.batches;
}

// A subquery has one row, and so reads one range of an index. A join with `progress` read all batches. The
// inlined limit keeps a plan for any values from expecting thousands.
//
// The result of `returning` is unused, but without it Citus 13 commits in one phase and a worker crash loses
// rows (docs/internals.md). `on conflict do nothing` would do, but doubles the work on a single Postgres.
const indexStatement = ({ sql }: Database, horizon: string) =>
  sql<{ batches: number }[]>`
    with progress as materialized (
      select created_at, batch_seq from recipient_progress for update skip locked
    ), unindexed as materialized (
      select b.contract_address, b.seq, b.created_at from batches b
      where (b.created_at, b.seq) > (select created_at, batch_seq from progress)
        and b.created_at < ${horizon}::timestamptz
      order by b.created_at, b.seq limit ${sql.unsafe(String(BATCHES_MAX))}
    ), packed as materialized (
      select f.created_at, ${sql.unsafe(PACKED_COLUMNS)}
      from unindexed f
        join batch_transfers t on t.batch_seq = f.seq and t.contract_address = f.contract_address
    ), copied as (
      insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
      select to_address, created_at, batch_seq, contract_address, points
      from (${unpacked(sql, "packed", "p.created_at, p.batch_seq, p.contract_address")}) as transfers
      order by to_address
      returning 1
    ), moved as (
      update recipient_progress r set created_at = last.created_at, batch_seq = last.seq
      from (select created_at, seq from unindexed order by created_at desc, seq desc limit 1) as last
    )
    select count(*)::int as batches from unindexed`;

/** Indexes until no new batches are left or the time budget ends. */
export async function catchUpRecipients(db: Database, budgetSeconds: number): Promise<void> {
  const endsAt = performance.now() + budgetSeconds * 1000;
  while ((await indexRecipients(db)) === BATCHES_MAX && performance.now() < endsAt);
}

/** Max unindexed batches that one query searches. Beyond that, the reply says what is missing. */
const UNINDEXED_BATCHES_MAX = 500;
const UNINDEXED_TRANSFERS_MAX = 100_000;

/** `reach` says whether few enough batches are unindexed to search them, and how far the index reaches. */
export const unindexedTransfers = (sql: Sql, address: Buffer) => sql`
    newer_batches as materialized (
      select contract_address, seq, created_at, transfer_count from batches
      where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      order by created_at, seq limit ${UNINDEXED_BATCHES_MAX + 1}
    ), reach as materialized (
      select
        count(*) <= ${UNINDEXED_BATCHES_MAX}
          and coalesce(sum(transfer_count), 0) <= ${UNINDEXED_TRANSFERS_MAX} as is_whole,
        (select created_at from recipient_progress) as indexed_until
      from newer_batches
    ), searched_batches as materialized (
      select n.contract_address, n.seq, n.created_at from reach r join newer_batches n on r.is_whole
    ), ${transfersTo(sql, address, "searched_batches")}`;

/**
 * CTEs that end in `unindexed`: the transfers of some batches to an address. Searches the packed addresses
 * for the address bytes first, and unpacks only rows that match. A match can span two addresses.
 * @param batches name of a materialized CTE with `contract_address`, `seq` and `created_at`
 */
export function transfersTo(sql: Sql, address: Buffer, batches: string) {
  // Materialized first. Otherwise the search would be pushed into the scan and read the addresses of every
  // batch. `any(array(…))` forces a lookup by key. The planner would scan all batches.
  return sql`
    searched as materialized (
      select n.created_at, t.contract_address, t.batch_seq, t.addresses, t.points
      from ${sql(batches)} n
        join batch_transfers t on t.batch_seq = n.seq and t.contract_address = n.contract_address
      where t.batch_seq = any(array(select seq from ${sql(batches)}))
    ), hits as materialized (
      select t.created_at, ${sql.unsafe(PACKED_COLUMNS)} from searched t
      where position(${address}::bytea in t.addresses) > 0
    ), unindexed as materialized (
      select created_at, batch_seq, contract_address, points
      from (${unpacked(sql, "hits", "p.created_at, p.batch_seq, p.contract_address")}) as transfers
      where to_address = ${address}
    )`;
}

/** A batch that the recipient index has not reached yet. */
export type UnindexedBatch = Pick<ListedBatch, "contractAddress" | "seq" | "createdAt">;

/** A separate query, because the planner cannot know how few they are. */
export async function findUnindexedBatches(db: Database, recipient: Buffer): Promise<UnindexedBatch[]> {
  return await db.sql<UnindexedBatch[]>`
    with newer as materialized (
      select contract_address, seq, created_at from batches
      where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
    ), ${transfersTo(db.sql, recipient, "newer")}
    select contract_address as "contractAddress", batch_seq as seq, created_at as "createdAt" from unindexed`;
}
