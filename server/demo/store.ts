import type { TransactionSql } from "postgres";
import { hashToken, makeToken, tokenSuffix } from "@/server/auth/tokens";
import type { StaffRole } from "@/server/kernel/context";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";

export type DemoPerson = { email: string; role: StaffRole; passwordHash: string };

/**
 * Stores the contracts with their accounts and tokens, and the staff. Returns one active token per contract, and the emails
 * of new team members. Existing ones keep their role and password. Only token hashes are stored.
 */
export async function storePeople(tx: TransactionSql, people: readonly DemoPerson[]) {
  await tx`
    insert into contracts (address, label, operator_address, issuance, created_at)
    select address, label, operator_address, issuance, created_at from demo_contracts order by ordinal
    returning address`;
  await tx`
    insert into accounts (address, point_type)
    select address, unnest(enum_range(null::point_type)) from demo_contracts order by address
    on conflict (address, point_type) do nothing`;
  const tokens = [];
  for (const { address, label, token: name } of await tx<{ address: Buffer; label: string; token: string }[]>`
    select address, label, token from demo_contracts order by ordinal`) {
    const token = makeToken("access");
    await tx`
      insert into access_tokens (token_hash, token_end, contract_address, name, scopes, created_by, created_at, last_used_at)
      select ${hashToken(token)}::bytea, ${tokenSuffix(token)}, address, ${name}, '{batches:read,batches:write}'::text[],
        'staff:admin@example.com', created_at + interval '5 minutes', w.at - interval '2 minutes'
      from demo_contracts, world w where address = ${address}`;
    tokens.push({ contractAddress: `0x${address.toString("hex")}`, label, token });
  }
  await tx`create temp table added_people (email text) on commit drop`;
  const added = await tx<{ email: string }[]>`
    with added as (
    insert into staff (email, role, password_hash, created_at, last_sign_in_at)
    select p.email, p.role::staff_role, p.hash, w.at - interval '31 days', w.at - interval '3 hours'
    from world w, unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => p.role)}::text[],
      ${people.map((p) => p.passwordHash)}::text[]) as p (email, role, hash)
    on conflict (email) do nothing returning email
    )
    insert into added_people select email from added returning email`;
  return { tokens, added: added.map(({ email }) => email) };
}

/** Stores the batches in their current state, with all constraints on. Accounts and issuances follow in the transaction. */
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

/** Issues points when they were needed and computes the accounts, which it locks in address order, as settling does. */
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

/**
 * Writes the recipient index and moves its position past the generated batches, before those are stored. So any unindexed
 * batch below the new position was stored by the service, and is indexed here too.
 */
export async function storeRecipients(tx: TransactionSql): Promise<void> {
  const [mark] = await tx<{ at: string; seq: string }[]>`
    select created_at::text as at, batch_seq::text as seq from recipient_progress for update`;
  const [last] = await tx<{ at: string; seq: string }[]>`
    select created_at::text as at, seq::text as seq from drawn_batches join drawn_keys using (k) order by k desc limit 1`;
  // There are no conflicts, but without `on conflict` Citus 13 would commit in one phase (docs/internals.md).
  await tx`
    with packed as materialized (
      select b.created_at, ${tx.unsafe(PACKED_COLUMNS)}
      from batches b join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      where (b.created_at, b.seq) > (${mark!.at}::timestamptz, ${mark!.seq}::bigint)
        and (b.created_at, b.seq) <= (${last!.at}::timestamptz, ${last!.seq}::bigint)
    )
    insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select to_address, created_at, batch_seq, contract_address, points
    from (${unpacked(tx, "packed", "p.created_at, p.batch_seq, p.contract_address")}) as transfers
    order by to_address
    on conflict (to_address, created_at, batch_seq, contract_address) do nothing`;
  await tx`
    insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
    select r.to_address, b.created_at, s.seq, s.contract_address, r.points
    from drawn_rows r join drawn_batches b using (k) join drawn_keys s using (k)
    order by r.to_address, b.created_at, s.seq
    on conflict (to_address, created_at, batch_seq, contract_address) do nothing`;
  await tx`
    update recipient_progress set created_at = ${last!.at}::timestamptz, batch_seq = ${last!.seq}::bigint
    where (created_at, batch_seq) < (${last!.at}::timestamptz, ${last!.seq}::bigint)`;
}

/** Stores what the service and its users would have written: finalizer runs, a ledger check and the audit log. */
export async function storeHistory(tx: TransactionSql): Promise<void> {
  for (const statement of [RUNS, HEARTBEAT, CHECK, AUDIT]) await tx.unsafe(statement);
}

const RUNS = `
  insert into finalizer_runs (id, started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max)
  select pg_temp.made_uuid((extract(epoch from l.tick_at) * 1000)::bigint, 40), 'scheduler', l.tick_at,
    l.tick_at + interval '90 milliseconds', count(*), sum(t.transfer_count),
    max(ceil(extract(epoch from l.tick_at + interval '80 milliseconds' - l.finalize_at)))
  from drawn_lives l join drawn_totals t using (k) where l.status = 'FINALIZED'
  group by l.tick_at order by l.tick_at`;

const HEARTBEAT = `
  insert into finalizer_heartbeat (singleton, last_tick_at) select true, at from world on conflict (singleton) do nothing`;

const CHECK = `
  insert into ledger_checks (started_by, started_at, finished_at, is_ok, batches, transfers, accounts)
  select 'scheduler', at - interval '9 hours', at - interval '9 hours' + interval '1 second', true,
    (select count(*) from batches), (select sum(transfer_count) from batches), (select count(*) from accounts)
  from world`;

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
