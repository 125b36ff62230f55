import type { Database } from "@/db/client";
import { crossingShards } from "@/server/kernel/shards";
import { creationHorizon } from "../ledger/creation-order";
import { PACKED_COLUMNS, unpacked } from "../ledger/packed-transfers";

const BATCHES_MAX = 200;

/**
 * Copies the transfers of new batches into `recipient_transfers`, outside the submit path. Returns the number of batches.
 * Stops before the oldest submit in flight, so it skips none. Only one caller works at a time. Others find the progress
 * row locked and do nothing.
 */
export async function indexRecipients(db: Database): Promise<number> {
  const horizon = await creationHorizon(db);
  const [row] = await crossingShards(db, (on) => indexStatement(on, horizon));
  return row!.batches;
}

// The result of `returning` is unused, but without it Citus 13 commits in one phase and a worker crash loses rows
// (docs/internals.md). `on conflict do nothing` would work too, but doubles the work on a single Postgres.
const indexStatement = ({ sql }: Database, horizon: string) =>
  sql<{ batches: number }[]>`
    with progress as materialized (
      select created_at, batch_seq from recipient_progress for update skip locked
    ), unindexed as materialized (
      select b.contract_address, b.seq, b.created_at from batches b, progress p
      where (b.created_at, b.seq) > (p.created_at, p.batch_seq)
        and b.created_at < ${horizon}::timestamptz
      order by b.created_at, b.seq limit ${BATCHES_MAX}
    ), packed as materialized (
      select f.created_at, ${sql.unsafe(PACKED_COLUMNS)}
      from unindexed f join batch_transfers t on t.batch_seq = f.seq and t.contract_address = f.contract_address
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
