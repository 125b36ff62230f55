import { createHash } from "node:crypto";
import postgres from "postgres";
import { v7 as uuidv7 } from "uuid";
import { type LoadPlan, makeTransfers, type SubmitWork } from "@/bench/load-plan";
import type { Database } from "@/db/client";
import { CLAIM_TRANSFERS_MAX } from "@/server/finalizer/claim-due-batches";
import { formatPoints, parsePoints } from "@/terms/points";

/**
 * The limit of a submit: its transaction in one statement through the driver, with prepared parameters, and
 * without any validation. @returns a sender for each connection
 */
export function openSqlPeer(plan: LoadPlan, connections: number): ((at: number) => Promise<void>)[] {
  const sql = postgres(plan.url, { max: connections, onnotice: () => undefined });
  const work = plan.work as SubmitWork;
  const batches = Array.from({ length: work.bodies }, (_, at) => {
    const rows = makeTransfers(work);
    const addresses = Buffer.from(rows.map((row) => row.toAddress.slice(2)).join(""), "hex");
    return {
      contract: Buffer.from(plan.callers[at % plan.callers.length]!.contractAddress.slice(2), "hex"),
      addresses,
      points: `{${rows.map((row) => row.points).join(",")}}`,
      total: formatPoints(rows.reduce((sum, row) => sum + parsePoints(row.points), 0n)),
      digest: createHash("sha256").update(addresses).digest(),
    };
  });
  const send = async (at: number) => {
    const { contract, addresses, points, total, digest } = batches[at % batches.length]!;
    await sql`
      with batch as (
        insert into batches (contract_address, id, point_type, points, transfer_count, wait_seconds, digest,
          submitted_by, submit_request_id, created_at, finalize_at)
        values (${contract}, ${uuidv7()}, 'PHASE2_POINTS', ${total}::text::numeric, ${work.transfers}::int,
          3600, ${digest}, 'token:sql', '', date_trunc('milliseconds', now()),
          date_trunc('milliseconds', now()) + interval '1 hour')
        returning seq, contract_address
      ), rows as (
        insert into transfers (batch_seq, contract_address, position, to_address, points)
        select b.seq, b.contract_address, u.position - 1,
          substring(${addresses}::bytea from (u.position::int - 1) * 20 + 1 for 20), u.points
        from batch b, unnest(${points}::text::numeric[]) with ordinality as u (points, position)
        returning 1
      )
      update accounts set pending = pending + ${total}::text::numeric
      where address = ${contract} and point_type = 'PHASE2_POINTS' and (select count(*) from rows) > 0`;
  };
  return Array.from({ length: connections }, () => send);
}

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
