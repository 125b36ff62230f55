import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { announce } from "@/server/kernel/announce";
import { groupByShard, isDistributed, onShard, type ShardContracts } from "@/server/kernel/shards";
import type { Claim } from "@/server/ledger/settle";

/** Number of due rows read to find the shards that have work. */
const DUE_CHECKED_MAX = 5000;
const CLAIM_BATCHES_MAX = 500;
/** A chunk is full at this many transfers. Larger ones would hold account locks for too long. */
export const CLAIM_TRANSFERS_MAX = 20_000;
/** How long a claim is valid before another finalizer may take it over. */
export const LEASE_SECONDS = 60;

/**
 * Marks a chunk of due batches FINALIZING under one claim. `batches` is 0 when nothing is due. Batches with
 * an expired lease (their finalizer crashed, or the database rejected their chunk) come first, unless
 * `newFirst`. Safe for concurrent callers: rows locked by another are skipped.
 */
export async function claimDueBatches(
  db: Database,
  claimId: string,
  newFirst = false,
): Promise<Claim & { batches: number }> {
  const work = await shardsWithWork(db);
  for (const kind of newFirst ? CLAIMS.toReversed() : CLAIMS)
    for (const contracts of work[kind]) {
      const batches = await (kind === "abandoned" ? takeOver : claimOnShard)(db, claimId, contracts);
      if (batches > 0) return { id: claimId, batches, contracts };
    }
  return { id: claimId, batches: 0, contracts: null };
}

const CLAIMS = ["abandoned", "due"] as const;

/**
 * The shards with batches to claim. One statement looks for both kinds, so that a look at an idle cluster
 * asks each shard once. When more is due than it reads, each is looked for alone: none must hide the other.
 */
async function shardsWithWork(db: Database): Promise<Record<(typeof CLAIMS)[number], ShardContracts[]>> {
  if (!(await isDistributed(db))) return { abandoned: [null], due: [null] };
  const { sql } = db;
  const abandoned = sql`
    select contract_address, lease_until as since, 'abandoned' as kind, finalize_at from batches
    where status = 'FINALIZING' and lease_until < now()`;
  const due = sql`
    select contract_address, finalize_at as since, 'due' as kind, finalize_at from batches
    where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()`;
  const look = (rows: Fragment) =>
    groupByShard(
      db,
      sql`select * from (${rows}) as work order by finalize_at limit ${DUE_CHECKED_MAX}`,
      sql`kind`,
    );
  let groups = [...(await look(sql`${abandoned} union all ${due}`))];
  if (groups.reduce((sum, { rows }) => sum + rows, 0) === DUE_CHECKED_MAX)
    groups = [...(await look(abandoned)), ...(await look(due))];
  const of = (kind: string) =>
    groups.filter((group) => group.kind === kind).map(({ contracts }) => contracts);
  return { abandoned: of("abandoned"), due: of("due") };
}

/**
 * Takes over what is left of one claim: whole the first time, since a finalizer that died says nothing about
 * its batches, and then one at a time, so that one that fails again blocks no other.
 */
async function takeOver(db: Database, claimId: string, contracts: ShardContracts): Promise<number> {
  const { sql } = db;
  const isEnded = sql`b.status = 'FINALIZING' and b.lease_until < now()
        ${onShard(db, contracts, "b.contract_address")}`;
  const { count } = await sql`
    with oldest as materialized (
      select b.contract_address, b.seq, b.claim_id, b.retry_alone from batches b
      where ${isEnded} order by b.lease_until limit 1 for update skip locked
    ), taken as materialized (
      select b.contract_address, b.seq from batches b, oldest o
      where ${isEnded} and b.claim_id = o.claim_id
        and case when o.retry_alone then b.contract_address = o.contract_address and b.seq = o.seq
          else not b.retry_alone end
      for update of b skip locked
    )
    update batches b set claim_id = ${claimId}, updated_at = now(), retry_alone = true,
      lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
    from taken t where b.contract_address = t.contract_address and b.seq = t.seq
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
        sum(transfer_count) over (order by finalize_at, contract_address, seq) - transfer_count
          as transfers_before
      from candidates
    ), claimed as (
      update batches b
      set status = 'FINALIZING', claim_id = ${claimId}, claimed_at = now(), updated_at = now(),
        lease_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
      from counted c
      where b.contract_address = c.contract_address and b.seq = c.seq
        and c.transfers_before < ${CLAIM_TRANSFERS_MAX}
        and b.status = 'PENDING' and b.held_at is null and not b.awaits_approval
        ${onShard(db, contracts, "b.contract_address")}
      returning b.contract_address, b.seq, b.claimed_at as at
    )
    ${announce(db, "batch.finalizing", "claimed", contracts)}
    select 1 from claimed`;
  return claimed.length;
}

/**
 * Releases a claim after a failure, so that its batches do not wait for the lease to expire.
 * @param next how they are taken over: `whole`, if they were not yet, when the failure was none of theirs. A
 * chunk that takes too long looks like an outage, so it is tried whole only twice.
 */
export async function releaseClaim(
  db: Database,
  claim: Claim,
  retrySeconds: number,
  next: "whole" | "one by one",
): Promise<void> {
  await db.sql`
    update batches set lease_until = now() + ${retrySeconds}::int * interval '1 second', updated_at = now(),
      retry_alone = retry_alone or ${next === "one by one"}::boolean
    where status = 'FINALIZING' and claim_id = ${claim.id}
      ${onShard(db, claim.contracts, "contract_address")}`;
}
