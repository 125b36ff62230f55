import type { Database } from "@/db/client";
import { CLAIM_TRANSFERS_MAX } from "@/server/finalizer/claim-due-batches";

/**
 * The limit of finalizing: one statement finds, credits, debits and marks due batches, repeatedly until none
 * is left. Without claims, nothing shows what is in progress, and one failing batch blocks all others.
 */
export async function settleInOneStatement({ sql }: Database): Promise<void> {
  for (let batches = 1; batches > 0; ) {
    const [row] = await sql<{ batches: number }[]>`
      with candidates as materialized (
        select contract_address, seq, point_type, points, transfer_count, finalize_at from batches
        where status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()
        order by finalize_at, contract_address, seq limit 500 for update skip locked
      ), due as materialized (
        select * from (
          select *,
            sum(transfer_count) over (order by finalize_at, contract_address, seq) - transfer_count as before
          from candidates
        ) as counted where before < ${CLAIM_TRANSFERS_MAX}
      ), moved as (
        select t.to_address as address, d.point_type, sum(t.points) as received, 0::numeric as sent
        from due d join transfers t on t.batch_seq = d.seq and t.contract_address = d.contract_address
        group by 1, 2
        union all
        select contract_address, point_type, 0, sum(points) from due group by 1, 2
      ), deltas as materialized (
        select address, point_type, sum(received) as received, sum(sent) as sent
        from moved group by 1, 2 order by 1, 2
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
    batches = row!.batches;
  }
}
