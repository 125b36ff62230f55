import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { announce } from "@/server/kernel/announce";
import type { Claim } from "@/server/ledger/settle";

const BATCHES_MAX = 500;
/** The same chunk size as ours (claim-due-batches.ts). */
const TRANSFERS_MAX = 20_000;

/**
 * The limit: one statement finds, credits, debits and marks due batches, repeatedly until none is left. Without claims, nothing
 * shows what is in progress, and one failing batch blocks all others.
 */
export async function settleInOneStatement(db: Database, _url: string, finalizers: number) {
  await allowOneStep(db);
  const work = async () => {
    while ((await settleChunk(db)) > 0);
  };
  return async () => void (await Promise.all(Array.from({ length: finalizers }, work)));
}

/** Finalizers that claim like the service, each settling claims until nothing is due. */
export const settleClaims =
  (settle: (db: Database, claim: Claim) => Promise<unknown>) =>
  async (db: Database, _url: string, finalizers: number) => {
    const work = async () => {
      for (;;) {
        const claim = await claimDueBatches(db, randomUUID());
        if (claim.batches === 0) return;
        await settle(db, claim);
      }
    };
    return async () => void (await Promise.all(Array.from({ length: finalizers }, work)));
  };

/** The service's statement with a row per transfer; the difference is the cost of unpacking. */
export async function settleRows(db: Database, { id }: Claim): Promise<void> {
  await db.sql`
    with claimed as materialized (
      select contract_address, seq, point_type, points from batches
      where status = 'FINALIZING' and claim_id = ${id} order by contract_address, seq for update
    ), moved as (
      select t.to_address as address, c.point_type, sum(t.points) as received, 0::numeric as sent
      from claimed c join transfers t on t.batch_seq = c.seq and t.contract_address = c.contract_address group by 1, 2
      union all
      select contract_address, point_type, 0, sum(points) from claimed group by 1, 2
    ), deltas as materialized (
      select address, point_type, sum(received) as received, sum(sent) as sent from moved group by 1, 2
    ), written as (
      insert into accounts as a (address, point_type, earned, received, sent)
      select address, point_type, sent, received, sent from deltas order by address, point_type
      on conflict (address, point_type) do update set received = a.received + excluded.received,
        sent = a.sent + excluded.sent, pending = a.pending - excluded.sent
      returning 1
    ), finalized as (
      update batches b set status = 'FINALIZED', finalized_at = now(), updated_at = now(), lease_until = null
      from claimed c where b.contract_address = c.contract_address and b.seq = c.seq
      returning b.contract_address, b.seq, b.finalized_at as at
    )
    ${announce(db, "batch.finalized", "finalized", null)}
    select count(*), (select count(*) from written) as accounts from finalized`;
}

/** Only claims need the rule that a batch is FINALIZING first. */
export const allowOneStep = ({ sql }: Database) =>
  sql`drop trigger if exists batches_legal_change on batches`;

async function settleChunk({ sql }: Database): Promise<number> {
  const [row] = await sql<{ batches: number }[]>`
    with candidates as materialized (
      select contract_address, seq, point_type, points, transfer_count, finalize_at from batches
      where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()
      order by finalize_at, contract_address, seq limit ${BATCHES_MAX} for update skip locked
    ), due as materialized (
      select * from (
        select *, sum(transfer_count) over (order by finalize_at, contract_address, seq) - transfer_count as before
        from candidates
      ) as counted where before < ${TRANSFERS_MAX}
    ), moved as (
      select t.to_address as address, d.point_type, sum(t.points) as received, 0::numeric as sent
      from due d join transfers t on t.batch_seq = d.seq and t.contract_address = d.contract_address group by 1, 2
      union all
      select contract_address, point_type, 0, sum(points) from due group by 1, 2
    ), deltas as materialized (
      select address, point_type, sum(received) as received, sum(sent) as sent from moved group by 1, 2 order by 1, 2
    ), written as (
      insert into accounts as a (address, point_type, earned, received, sent)
      select address, point_type, sent, received, sent from deltas order by address, point_type
      on conflict (address, point_type) do update set received = a.received + excluded.received,
        sent = a.sent + excluded.sent, pending = a.pending - excluded.sent
      returning 1
    ), marked as (
      update batches b set status = 'FINALIZED', finalized_at = now(), updated_at = now()
      from due d where b.contract_address = d.contract_address and b.seq = d.seq
      returning 1
    )
    select count(*)::int as batches, (select count(*) from written) as accounts from marked`;
  return row!.batches;
}

/** One batch, for the queues with one job per batch: the same work in one statement and one commit. */
export const SETTLE_ONE = `
  with due as materialized (
    select contract_address, seq, point_type, points from batches
    where contract_address = $1 and seq = $2 and status = 'PENDING' for update
  ), moved as (
    select t.to_address as address, d.point_type, sum(t.points) as received, 0::numeric as sent
    from due d join transfers t on t.batch_seq = d.seq and t.contract_address = d.contract_address group by 1, 2
    union all
    select contract_address, point_type, 0, points from due
  ), written as (
    insert into accounts as a (address, point_type, earned, received, sent)
    select address, point_type, sum(sent), sum(received), sum(sent) from moved group by 1, 2 order by 1, 2
    on conflict (address, point_type) do update set received = a.received + excluded.received,
      sent = a.sent + excluded.sent, pending = a.pending - excluded.sent
    returning 1
  )
  update batches b set status = 'FINALIZED', finalized_at = now(), updated_at = now()
  from due d, (select count(*) from written) as done where b.contract_address = d.contract_address and b.seq = d.seq`;
