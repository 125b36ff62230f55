import type { Database } from "@/db/client";
import { announce } from "@/server/kernel/announce";
import { crossingShards, onShard, type ShardContracts } from "@/server/kernel/shards";
import { PACKED_COLUMNS, unpacked } from "./packed-transfers";

export interface Settled {
  batches: number;
  transfers: number;
  /** Longest delay between due and settled in this chunk, in seconds. */
  lagSecondsMax: number;
  accounts: number;
}

/** A finalizer's claim on due batches. */
export interface Claim {
  id: string;
  /** The batches' contracts, to route the statement on Citus. Null on a single Postgres. */
  contracts: ShardContracts;
}

/**
 * Settles every batch of a claim in one statement, and so in one transaction: credits recipients, debits
 * contracts and marks batches FINALIZED. A claim that another finalizer took over has no batches left and
 * settles nothing.
 *
 * All accounts, contracts and recipients together, are written in address order. That prevents deadlocks
 * between chunks that pay the same wallets. `excluded.sent` carries a contract's debit. A contract's account
 * always exists, so `earned` of the proposed row is never stored. It only satisfies the checks that run
 * before Postgres detects the conflict.
 *
 * A reversal moves its points the other way: recipients are debited what the reversal reserved at them, and
 * the contract is credited.
 */
export async function settleClaim(db: Database, claim: Claim): Promise<Settled> {
  const [row] = await crossingShards(db, (on) => settleStatement(on, claim));
  return {
    batches: row!.batches,
    transfers: row!.transfers,
    lagSecondsMax: row!.lag,
    accounts: row!.accounts,
  };
}

/**
 * A separate subquery counts the written accounts, so that it runs once. In a join it would run once per
 * batch, because the planner expects one row per claim.
 */
export const settleStatement = (db: Database, { id, contracts }: Claim) =>
  db.sql<{ batches: number; transfers: number; lag: number; accounts: number }[]>`
    with claimed as materialized (
      select contract_address, seq, point_type, points, reverses_seq from batches
      where status = 'FINALIZING' and claim_id = ${id} ${onShard(db, contracts, "contract_address")}
      order by contract_address, seq for update
    ), packed as materialized (
      select c.point_type, ${db.sql.unsafe(PACKED_COLUMNS)}
      from claimed c join batch_transfers t on t.batch_seq = c.seq and t.contract_address = c.contract_address
        ${onShard(db, contracts, "t.contract_address")}
      where c.reverses_seq is null
    ), packed_back as materialized (
      select c.point_type, ${db.sql.unsafe(PACKED_COLUMNS)}
      from claimed c join batch_transfers t on t.batch_seq = c.seq and t.contract_address = c.contract_address
        ${onShard(db, contracts, "t.contract_address")}
      where c.reverses_seq is not null
    ), moved as (
      select to_address as address, point_type, sum(points) as received, 0::numeric as sent
      from (${unpacked(db.sql, "packed", "p.point_type")}) as transfers group by 1, 2
      union all
      select to_address, point_type, 0, sum(points)
      from (${unpacked(db.sql, "packed_back", "p.point_type")}) as taken_back group by 1, 2
      union all
      select contract_address, point_type, coalesce(sum(points) filter (where reverses_seq is not null), 0),
        coalesce(sum(points) filter (where reverses_seq is null), 0)
      from claimed group by 1, 2
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
        ${onShard(db, contracts, "b.contract_address")}
      returning b.contract_address, b.seq, b.transfer_count, b.finalized_at as at,
        extract(epoch from b.finalized_at - b.finalize_at) as lag
    )
    ${announce(db, "batch.finalized", "finalized", contracts)}
    select count(*)::int as batches, coalesce(sum(transfer_count), 0)::int as transfers,
      coalesce(ceil(max(lag)), 0)::int as lag, (select count(*)::int from written) as accounts
    from finalized`;
