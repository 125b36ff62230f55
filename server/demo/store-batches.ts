import type { TransactionSql } from "postgres";

/**
 * Stores what was drawn: each batch at once in the state it has now, which every constraint accepts only when its times
 * fit; no trigger is off. Accounts and issuances follow in the same transaction (store-ledger.ts).
 */
export async function storeBatches(tx: TransactionSql): Promise<void> {
  await tx.unsafe(SEQUENCE);
  await tx.unsafe(BATCHES);
  await tx.unsafe(`
    insert into transfers (batch_seq, contract_address, position, to_address, points)
    select s.seq, t.contract_address, r.position, r.to_address, r.points
    from drawn_rows r join drawn_totals t using (k) join drawn_sequence s using (k)
    order by s.seq, t.contract_address, r.position`);
}

/** Sequence numbers in order of creation, as the service would have given them. */
const SEQUENCE = `
  create temp table drawn_sequence on commit drop as
  select k, nextval('batches_seq_seq') as seq from (select k from drawn_batches order by k) as ordered;
  analyze drawn_sequence`;

const BATCHES = `
  insert into batches (contract_address, seq, id, point_type, status, points, transfer_count, wait_seconds, digest,
    submitted_by, submit_request_id, created_at, finalize_at, updated_at, claim_id, claimed_at, lease_until, finalized_at,
    cancelled_at, cancelled_by, cancel_reason, cancel_request_id, held_at, held_by, hold_reason)
  overriding system value
  select t.contract_address, s.seq,
    case t.ordinal
      when 2 then 'payout-' || to_char(b.created_at at time zone 'UTC', 'YYYYMMDD') || '-' || lpad(b.k::text, 7, '0')
      else overlay(overlay(md5(b.n || '/id/' || t.contract_address::text) placing
        lpad(to_hex((extract(epoch from b.created_at) * 1000)::bigint), 12, '0') || '7' from 1 for 13) placing 'a' from 17 for 1)::uuid::text
    end,
    b.point_type, l.status, t.points, t.transfer_count, b.wait_seconds, t.digest, 'token:' || t.token,
    pg_temp.made_uuid(b.k, 30)::text, b.created_at, l.finalize_at,
    case l.status when 'CANCELLED' then l.stopped_at when 'FINALIZING' then w.at
      when 'FINALIZED' then l.tick_at + interval '80 milliseconds' end,
    case when l.status in ('FINALIZING', 'FINALIZED')
      then pg_temp.made_uuid((extract(epoch from l.tick_at) * 1000)::bigint, 31) end,
    case l.status when 'FINALIZING' then w.at when 'FINALIZED' then l.tick_at end,
    case when l.status = 'FINALIZING' then w.at + interval '10 minutes' end,
    case when l.status = 'FINALIZED' then l.tick_at + interval '80 milliseconds' end,
    case when l.status = 'CANCELLED' then l.stopped_at end,
    case when l.status = 'CANCELLED' then case when l.by_staff then 'staff:operator@example.com' else 'token:' || t.token end end,
    case when l.status = 'CANCELLED' and l.by_staff
      then (array['Wrong amounts: the export of the day before was sent again', 'Asked for by the partner',
        'Recipients of the test network', 'Replaced by a corrected batch'])[1 + b.k % 4] end,
    case when l.status = 'CANCELLED' then pg_temp.made_uuid(b.k, 32)::text end,
    case when l.is_held then l.stopped_at end,
    case when l.is_held then 'staff:operator@example.com' end,
    case when l.is_held
      then (array['Looks twice as large as usual: asked the partner', 'Under review by finance'])[1 + b.k % 2] end
  from drawn_batches b join drawn_totals t using (k) join drawn_lives l using (k) join drawn_sequence s using (k), world w
  order by s.seq`;
