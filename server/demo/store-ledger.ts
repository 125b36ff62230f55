import type { TransactionSql } from "postgres";

/**
 * Issues what each contract needed when it needed it, writes the accounts from the transfers, and the index by
 * recipient. Accounts are locked in order of address, as settling does.
 */
export async function storeLedger(tx: TransactionSql): Promise<void> {
  for (const statement of [DEMAND, ISSUED_ON_DEMAND, GRANTED, ACCOUNTS, RECIPIENTS, PROGRESS])
    await tx.unsafe(statement);
}

/**
 * A contract's reserved total after each submit (`demand`; a cancel gives back), and the most it ever was until then.
 * On demand, a submit is issued what that highest mark rises by.
 */
const DEMAND = `
  create temp table demand on commit drop as
  with events as (
    select k, contract_address, point_type, created_at as at, points, true as is_submit
    from drawn_batches join drawn_totals using (k)
    union all
    select k, contract_address, point_type, stopped_at, -points, false
    from drawn_batches join drawn_totals using (k) join drawn_lives using (k) where status = 'CANCELLED'
  ), summed as (
    select *, sum(points) over (partition by contract_address, point_type order by at, is_submit desc, k) as demand from events
  )
  select k, contract_address, point_type, at, is_submit,
    max(demand) over (partition by contract_address, point_type order by at, is_submit desc, k) as highest
  from summed;
  analyze demand`;

const ISSUED_ON_DEMAND = `
  insert into issuances (contract_address, point_type, points, batch_seq, created_at)
  select contract_address, point_type, risen, seq, at from (
    select d.*, highest - coalesce(lag(highest) over (partition by contract_address, point_type order by at, is_submit desc, k), 0) as risen
    from demand d
  ) as rises join drawn_sequence using (k)
  where is_submit and risen > 0
    and contract_address in (select address from demo_contracts where issuance = 'ON_DEMAND')
  order by at, k`;

/** A PREFUNDED contract gets each week what that week will need and a tenth more, in round thousands. */
const GRANTED = `
  insert into issuances (contract_address, point_type, points, granted_by, created_at)
  select contract_address, point_type, ceil(needed * 1.1 / 1000) * 1000, 'staff:operator@example.com',
    starts_at - interval '30 minutes'
  from (
    select d.contract_address, d.point_type, week, min(h.starts_at) + week * interval '7 days' as starts_at,
      max(d.highest) - coalesce(lag(max(d.highest)) over (partition by d.contract_address, d.point_type order by week), 0) as needed
    from (select *, floor(extract(epoch from at - (select min(starts_at) from hours)) / 604800)::int as week from demand) as d,
      (select min(starts_at) as starts_at from hours) as h
    where d.contract_address in (select address from demo_contracts where issuance = 'PREFUNDED')
    group by d.contract_address, d.point_type, week
  ) as weeks
  where needed > 0 order by starts_at, point_type`;

const ACCOUNTS = `
  insert into accounts as a (address, point_type, earned, received, sent, pending)
  select address, point_type, sum(earned), sum(received), sum(sent), sum(pending) from (
    select r.to_address as address, b.point_type, 0::numeric as earned, r.points as received, 0::numeric as sent, 0::numeric as pending
    from drawn_rows r join drawn_batches b using (k) join drawn_lives l using (k) where l.status = 'FINALIZED'
    union all
    select t.contract_address, b.point_type, 0, 0, case l.status when 'FINALIZED' then t.points else 0 end,
      case when l.status in ('PENDING', 'FINALIZING') then t.points else 0 end
    from drawn_totals t join drawn_batches b using (k) join drawn_lives l using (k)
    union all
    select contract_address, point_type, points, 0, 0, 0 from issuances
    where xmin = pg_current_xact_id()::xid
  ) as changes
  group by address, point_type order by address, point_type
  on conflict (address, point_type) do update set earned = a.earned + excluded.earned,
    received = a.received + excluded.received, sent = a.sent + excluded.sent, pending = a.pending + excluded.pending`;

/** Also of batches that the service stored before and has not indexed yet: the mark below passes over them. */
const RECIPIENTS = `
  create temp table index_mark on commit drop as
  select p.created_at, p.batch_seq,
    last.created_at as last_created_at, last.seq as last_seq
  from (select * from recipient_progress for update) as p,
    (select created_at, seq from drawn_batches join drawn_sequence using (k) order by k desc limit 1) as last;
  insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
  select t.to_address, b.created_at, b.seq, b.contract_address, t.points
  from batches b join transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address, index_mark m
  where b.xmin = pg_current_xact_id()::xid
    or (b.created_at, b.seq) > (m.created_at, m.batch_seq) and (b.created_at, b.seq) <= (m.last_created_at, m.last_seq)
  order by t.to_address, b.created_at, b.seq`;

const PROGRESS = `
  update recipient_progress set created_at = m.last_created_at, batch_seq = m.last_seq from index_mark m
  where (m.last_created_at, m.last_seq) > (m.created_at, m.batch_seq)`;
