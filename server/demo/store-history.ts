import type { TransactionSql } from "postgres";

/** Stores what the service and its users would have written: finalizer runs, nightly ledger checks and the audit log. */
export async function storeHistory(tx: TransactionSql): Promise<void> {
  for (const statement of [RUNS, FAILED_RUNS, HEARTBEAT, CHECKS, AUDIT]) await tx.unsafe(statement);
}

const RUNS = `
  insert into finalizer_runs (id, started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max)
  select pg_temp.made_uuid((extract(epoch from l.tick_at) * 1000)::bigint, 40), 'scheduler', l.tick_at,
    l.tick_at + interval '90 milliseconds', count(*), sum(t.transfer_count),
    max(ceil(extract(epoch from l.tick_at + interval '80 milliseconds' - l.finalize_at)))
  from drawn_lives l join drawn_totals t using (k) where l.status = 'FINALIZED'
  group by l.tick_at order by l.tick_at`;

const FAILED_RUNS = `
  insert into finalizer_runs (id, started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max, failure)
  select pg_temp.made_uuid((extract(epoch from failed_at) * 1000)::bigint, 41), 'scheduler', failed_at,
    failed_at + interval '8 seconds', 0, 0, 0, 'Finalizing failed: the database did not respond.'
  from outages, generate_series(starts_at, ends_at - interval '1 second', interval '1 minute') as failed_at
  order by failed_at`;

const HEARTBEAT = `
  insert into finalizer_heartbeat (singleton, last_tick_at) select true, at from world on conflict (singleton) do nothing`;

/** One check per night over all data so far. Rounded here, because Citus 13 does not round times when it selects into a local table. */
const CHECKS = `
  insert into ledger_checks (started_by, started_at, finished_at, is_ok, batches, transfers, accounts)
  with nights as (
    select night from world w, generate_series(1, 30) as days,
      lateral (select date_trunc('day', w.at) - (30 - days) * interval '1 day' + interval '3 hours' as night) as n
    where night < w.at
  ), made as materialized (
    select date_bin('1 day', b.created_at, (select min(night) from nights)) + interval '1 day' as night,
      count(*) as batches, sum(transfer_count) as transfers
    from drawn_batches b join drawn_totals using (k) group by 1
  ), known as (
    select n.night, coalesce(sum(m.batches), 0) as batches, coalesce(sum(m.transfers), 0) as transfers
    from nights n left join made m on m.night <= n.night group by n.night
  )
  select 'scheduler', night, (night + interval '1 second' + batches::float8 * interval '40 microseconds')::timestamptz(3), true,
    batches, transfers, least(transfers, (select count(*) from accounts))
  from known order by night`;

const AUDIT = `
  insert into audit_log (at, actor, action, target, detail, request_id)
  select at, actor, action, target, detail, pg_temp.made_uuid(row_number() over (order by at, target), 42)::text from (
    select created_at as at, 'staff:admin@example.com' as actor, 'contract.create' as action,
      'contract:0x' || encode(address, 'hex') as target,
      jsonb_build_object('label', label, 'issuance', issuance::text) as detail
    from demo_contracts
    union all
    select created_at, created_by, 'token.create', 'contract:0x' || encode(contract_address, 'hex'),
      jsonb_build_object('name', name, 'scopes', array_to_string(scopes, ' '))
    from access_tokens where contract_address in (select address from demo_contracts)
    union all
    select created_at, 'staff:admin@example.com', 'staff.create', 'staff:' || email, jsonb_build_object('role', role::text)
    from staff join added_people using (email)
    union all
    select created_at, granted_by, 'points.grant', 'contract:0x' || encode(contract_address, 'hex'),
      jsonb_build_object('pointType', point_type::text, 'points', trim_scale(points)::text)
    from drawn_issuances where granted_by is not null
    union all
    select stopped_at, 'staff:operator@example.com', case when is_held then 'batch.hold' else 'batch.cancel' end,
      'batch:0x' || encode(contract_address, 'hex') || '/' || id, jsonb_build_object('reason', staff_reason)
    from drawn_lives join drawn_keys using (k) where staff_reason is not null
  ) as happened order by at, target`;
