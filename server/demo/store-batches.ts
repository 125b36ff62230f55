import type { TransactionSql } from "postgres";

/**
 * Stores the generated batches in their current state, with all constraints and triggers on. Accounts and issuances follow
 * in the same transaction (store-ledger.ts).
 */
export async function storeBatches(tx: TransactionSql): Promise<void> {
  await tx.unsafe(BATCHES);
  await tx.unsafe(TRANSFERS);
}

// There are no conflicts, but without `on conflict` Citus 13 would commit in one phase (docs/internals.md).

const BATCHES = `
  insert into batches (contract_address, seq, id, point_type, status, points, transfer_count, wait_seconds, digest, transfers_hash,
    submitted_by, submit_request_id, created_at, finalize_at, updated_at, claim_id, claimed_at, lease_until, finalized_at,
    cancelled_at, cancelled_by, cancel_reason, cancel_request_id, held_at, held_by, hold_reason)
  overriding system value
  select contract_address, s.seq, s.id, b.point_type, l.status, t.points, t.transfer_count, b.wait_seconds, t.digest, t.transfers_hash,
    'token:' || t.token, pg_temp.made_uuid(b.k, 30)::text, b.created_at, l.finalize_at,
    case l.status when 'CANCELLED' then l.stopped_at when 'FINALIZING' then w.at
      when 'FINALIZED' then l.tick_at + interval '80 milliseconds' end,
    case when l.status in ('FINALIZING', 'FINALIZED')
      then pg_temp.made_uuid((extract(epoch from l.tick_at) * 1000)::bigint, 31) end,
    case l.status when 'FINALIZING' then w.at when 'FINALIZED' then l.tick_at end,
    case when l.status = 'FINALIZING' then w.at end,
    case when l.status = 'FINALIZED' then l.tick_at + interval '80 milliseconds' end,
    case when l.status = 'CANCELLED' then l.stopped_at end,
    case when l.status = 'CANCELLED'
      then case when l.staff_reason is null then 'token:' || t.token else 'staff:operator@example.com' end end,
    case when l.status = 'CANCELLED' then l.staff_reason end,
    case when l.status = 'CANCELLED' then pg_temp.made_uuid(b.k, 32)::text end,
    case when l.is_held then l.stopped_at end,
    case when l.is_held then 'staff:operator@example.com' end,
    case when l.is_held then l.staff_reason end
  from drawn_batches b join drawn_totals t using (k) join drawn_lives l using (k)
    join drawn_keys s using (k, contract_address), world w
  order by s.seq
  on conflict (contract_address, seq) do nothing`;

const TRANSFERS = `
  insert into batch_transfers (batch_seq, contract_address, addresses, points)
  select seq, contract_address, addresses, amounts::numeric(38,12)[]
  from drawn_totals join drawn_keys using (k, contract_address) order by seq
  on conflict (batch_seq, contract_address) do nothing`;
