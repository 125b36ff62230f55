import type { Database } from "@/db/client";
import { announce } from "@/server/kernel/announce";
import { onShard, type ShardContracts, shardsOf } from "@/server/kernel/shards";
import type { Claim } from "../ledger/settle";

/** Number of due rows read to find the shards that have work. */
const DUE_CHECKED_MAX = 5000;
/** Max batches considered for one claim. */
const CLAIM_BATCHES_MAX = 500;
/** A chunk is full at this many transfers. Larger ones would hold account locks for too long. */
export const CLAIM_TRANSFERS_MAX = 20_000;
/** How long a claim is valid before another finalizer may take it over. */
export const LEASE_SECONDS = 60;

/**
 * Marks a chunk of due batches FINALIZING under one claim. `batches` is 0 when nothing is due. Batches with an expired lease
 * (their finalizer crashed, or the database rejected their chunk) come first. They are claimed one at a time, so that one
 * that fails again blocks no other. Safe for concurrent callers: rows locked by another are skipped.
 */
export async function claimDueBatches(db: Database, claimId: string): Promise<Claim & { batches: number }> {
  const { sql } = db;
  const abandoned = sql`
    select contract_address, lease_until as since from batches where status = 'FINALIZING' and lease_until < now()`;
  const due = sql`
    select contract_address, finalize_at as since from batches
    where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()`;
  for (const [rows, take] of [
    [abandoned, takeOver],
    [due, claimOnShard],
  ] as const) {
    for (const contracts of await shardsOf(db, sql`${rows} order by since limit ${DUE_CHECKED_MAX}`)) {
      const batches = await take(db, claimId, contracts);
      if (batches > 0) return { id: claimId, batches, contracts };
    }
  }
  return { id: claimId, batches: 0, contracts: null };
}

async function takeOver(db: Database, claimId: string, contracts: ShardContracts): Promise<number> {
  const { count } = await db.sql`
    with ended as materialized (
      select contract_address, seq from batches
      where status = 'FINALIZING' and lease_until < now() ${onShard(db, contracts, "contract_address")}
      order by lease_until limit 1 for update skip locked
    )
    update batches b set claim_id = ${claimId}, updated_at = now(),
      lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
    from ended e where b.contract_address = e.contract_address and b.seq = e.seq
      ${onShard(db, contracts, "b.contract_address")}`;
  return count;
}

async function claimOnShard(db: Database, claimId: string, contracts: ShardContracts): Promise<number> {
  const claimed = await db.sql`
    with candidates as materialized (
      select contract_address, seq, transfer_count, finalize_at from batches
      where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()
        ${onShard(db, contracts, "contract_address")}
      order by finalize_at, contract_address, seq limit ${CLAIM_BATCHES_MAX} for update skip locked
    ), counted as (
      select contract_address, seq,
        sum(transfer_count) over (order by finalize_at, contract_address, seq) - transfer_count as transfers_before
      from candidates
    ), claimed as (
      update batches b set status = 'FINALIZING', claim_id = ${claimId}, claimed_at = now(), updated_at = now(),
        lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
      from counted c
      where b.contract_address = c.contract_address and b.seq = c.seq and c.transfers_before < ${CLAIM_TRANSFERS_MAX}
        and b.status = 'PENDING' and b.held_at is null and not b.awaits_approval ${onShard(db, contracts, "b.contract_address")}
      returning b.contract_address, b.seq, b.claimed_at as at
    )
    ${announce(db, "batch.finalizing", "claimed", contracts)}
    select 1 from claimed`;
  return claimed.length;
}

/** Releases a claim after a failure, so that its batches do not wait for the lease to expire. */
export async function releaseClaim(db: Database, claim: Claim, retrySeconds: number): Promise<void> {
  await db.sql`
    update batches set lease_until = now() + ${retrySeconds}::int * interval '1 second'
    where status = 'FINALIZING' and claim_id = ${claim.id} ${onShard(db, claim.contracts, "contract_address")}`;
}
