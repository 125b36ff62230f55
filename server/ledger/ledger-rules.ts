/** Whether a batch's times do not fit its status. */
export const STATUS_TIMES_DIFFER = `(status = 'FINALIZED') <> (finalized_at is not null) or (status = 'CANCELLED') <> (cancelled_at is not null)
  or (status = 'FINALIZING') <> (lease_until is not null) or (status = 'PENDING') <> (updated_at is null)
  or (status in ('FINALIZING', 'FINALIZED') and (claim_id is null or claimed_at is null))
  or finalize_at <> created_at + wait_seconds * interval '1 second'
  or finalized_at < finalize_at or cancelled_at < created_at`;

/**
 * What must hold in the ledger at every instant, each rule a query that finds what breaks it (`detail`, one row a
 * finding). The queries recompute from `transfers` and `issuances`; they do not trust a stored sum.
 */
export const LEDGER_RULES = {
  // What was earned is then available or pending in all, for available is earned + received - sent - pending.
  sums_balance: `
    select point_type || ': received ' || trim_scale(sum(received)) || ', sent ' || trim_scale(sum(sent)) as detail
    from accounts group by point_type having sum(received) <> sum(sent)`,

  nothing_negative: `
    select '0x' || encode(address, 'hex') || ' ' || point_type || ': earned ' || earned || ', received ' || received
      || ', sent ' || sent || ', pending ' || pending as detail
    from accounts
    where least(earned, received, sent, pending, earned + received - sent - pending) < 0`,

  accounts_match_transfers: `
    with moved as (
      select b.contract_address, t.to_address, b.point_type, b.status, t.points
      from batches b join transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
    ), changes as (
      select to_address as address, point_type, 0::numeric as earned, points as received, 0::numeric as sent,
        0::numeric as pending from moved where status = 'FINALIZED'
      union all
      select contract_address, point_type, 0, 0, points, 0 from moved where status = 'FINALIZED'
      union all
      select contract_address, point_type, 0, 0, 0, points from moved where status in ('PENDING', 'FINALIZING')
      union all
      select contract_address, point_type, points, 0, 0, 0 from issuances
    ), expected as (
      select address, point_type, sum(earned) as earned, sum(received) as received, sum(sent) as sent,
        sum(pending) as pending from changes group by address, point_type
    )
    select '0x' || encode(address, 'hex') || ' ' || point_type
      || ': stored (earned, received, sent, pending) ' || (a.earned, a.received, a.sent, a.pending)::text
      || ', recomputed ' || (e.earned, e.received, e.sent, e.pending)::text as detail
    from accounts a full join expected e using (address, point_type)
    where (a.earned, a.received, a.sent, a.pending) is distinct from
      (coalesce(e.earned, 0), coalesce(e.received, 0), coalesce(e.sent, 0), coalesce(e.pending, 0))`,

  contracts_have_accounts: `
    select '0x' || encode(c.address, 'hex') || ' lacks an account of ' || kind as detail
    from contracts c cross join unnest(enum_range(null::point_type)) as kind
    where not exists (select from accounts a where a.address = c.address and a.point_type = kind)`,

  batches_match_transfers: `
    with rows as (
      select batch_seq, contract_address, sum(points) as points, count(*) as count, min(position) as first,
        max(position) as last, count(distinct to_address) as destinations,
        bool_or(to_address = contract_address) as to_itself, bool_or(to_address = decode(repeat('00', 20), 'hex')) as to_zero
      from transfers group by batch_seq, contract_address
    )
    select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ': stored (points, transfers) '
      || (b.points, b.transfer_count)::text || ', its rows (points, transfers, first and last position, destinations) '
      || (r.points, r.count, r.first, r.last, r.destinations)::text as detail
    from batches b left join rows r on r.batch_seq = b.seq and r.contract_address = b.contract_address
    where (b.points, b.transfer_count, 0, b.transfer_count - 1, b.transfer_count, false, false)
      is distinct from (r.points, r.count, r.first, r.last, r.destinations, r.to_itself, r.to_zero)`,

  no_stray_transfers: `
    select 'transfer ' || t.position || ' of 0x' || encode(t.contract_address, 'hex') || ' has no batch (sequence '
      || t.batch_seq || ')' as detail
    from transfers t
    where not exists (select from batches b where b.seq = t.batch_seq and b.contract_address = t.contract_address)`,

  batch_ids_unique: `
    select '0x' || encode(contract_address, 'hex') || '/' || id || ' stands ' || count(*) || ' times' as detail
    from batches group by contract_address, id having count(*) > 1`,

  status_times_fit: `
    select '0x' || encode(contract_address, 'hex') || '/' || id || ' is ' || status || ': created ' || created_at
      || ', due ' || finalize_at || ', updated ' || coalesce(updated_at::text, 'never') || ', finalized '
      || coalesce(finalized_at::text, 'never') || ', cancelled ' || coalesce(cancelled_at::text, 'never') as detail
    from batches
    where ${STATUS_TIMES_DIFFER}`,

  issuances_have_origin: `
    select 'issuance ' || i.id || ' of ' || i.points || ' ' || i.point_type || ' to 0x'
      || encode(i.contract_address, 'hex') || ': batch sequence ' || i.batch_seq as detail
    from issuances i left join batches b on b.contract_address = i.contract_address and b.seq = i.batch_seq
    where i.batch_seq is not null and (b.seq is null or b.point_type <> i.point_type or i.points > b.points)
    union all
    select 'batch sequence ' || batch_seq || ' was issued points ' || count(*) || ' times' as detail
    from issuances where batch_seq is not null group by contract_address, batch_seq having count(*) > 1`,

  recipients_match_transfers: `
    with indexed as (
      select to_address, created_at, batch_seq, contract_address, points from recipient_transfers
    ), actual as (
      select t.to_address, b.created_at, b.seq as batch_seq, b.contract_address, t.points
      from batches b join transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      where (b.created_at, b.seq) <= (select created_at, batch_seq from recipient_progress)
    )
    select * from (
      select 'not indexed: batch sequence ' || batch_seq || ' to 0x' || encode(to_address, 'hex') as detail
      from (table actual except table indexed) as missing
      union all
      select 'indexed without cause: batch sequence ' || batch_seq || ' to 0x' || encode(to_address, 'hex')
      from (table indexed except table actual) as extra
    ) as difference`,
} as const satisfies Record<string, string>;
