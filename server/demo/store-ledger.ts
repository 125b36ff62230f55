import type { TransactionSql } from "postgres";

/**
 * Issues points to each contract when it needed them, and computes the accounts from the transfers. Locks accounts in address
 * order, as settling does.
 */
export async function storeLedger(tx: TransactionSql): Promise<void> {
  for (const statement of [DEMAND, DRAWN_ISSUANCES, ISSUANCES, ACCOUNTS]) await tx.unsafe(statement);
}

// Issuances have no conflicts, but without `on conflict` Citus 13 would commit in one phase (docs/internals.md).

/**
 * A contract's reserved total after each submit (`demand`, lowered by a cancel), and its maximum so far. An ON_DEMAND submit
 * is issued the amount by which that maximum rises.
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

/** A PREFUNDED contract is granted each week's need plus 10%, rounded to thousands. */
const DRAWN_ISSUANCES = `
  create temp table drawn_issuances on commit drop as
  with on_demand as (
    select contract_address, point_type, risen as points, seq as batch_seq, at as created_at from (
      select d.*, highest - coalesce(lag(highest) over (partition by contract_address, point_type order by at, is_submit desc, k), 0) as risen
      from demand d
    ) as rises join drawn_keys using (k, contract_address)
    where is_submit and risen > 0
      and contract_address in (select address from demo_contracts where issuance = 'ON_DEMAND')
  ), weeks as (
    select d.contract_address, d.point_type, week, min(h.starts_at) + week * interval '7 days' as starts_at,
      max(d.highest) - coalesce(lag(max(d.highest)) over (partition by d.contract_address, d.point_type order by week), 0) as needed
    from (select *, floor(extract(epoch from at - (select min(starts_at) from hours)) / 604800)::int as week from demand) as d,
      (select min(starts_at) as starts_at from hours) as h
    where d.contract_address in (select address from demo_contracts where issuance = 'PREFUNDED')
    group by d.contract_address, d.point_type, week
  )
  select contract_address, point_type, points, batch_seq, null as granted_by, created_at from on_demand
  union all
  select contract_address, point_type, ceil(needed * 1.1 / 1000) * 1000, null, 'staff:operator@example.com',
    starts_at - interval '30 minutes'
  from weeks where needed > 0`;

const ISSUANCES = `
  insert into issuances (contract_address, point_type, points, batch_seq, granted_by, created_at)
  select contract_address, point_type, points, batch_seq, granted_by, created_at from drawn_issuances
  order by granted_by is not null, created_at, batch_seq, point_type
  on conflict (contract_address, created_at, id) do nothing`;

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
    select contract_address, point_type, points, 0, 0, 0 from drawn_issuances
  ) as changes
  group by address, point_type order by address, point_type
  on conflict (address, point_type) do update set earned = a.earned + excluded.earned,
    received = a.received + excluded.received, sent = a.sent + excluded.sent, pending = a.pending + excluded.pending`;
