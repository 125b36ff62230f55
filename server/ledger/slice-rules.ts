import type { PendingQuery, Row, TransactionSql } from "postgres";
import type { LEDGER_RULES } from "./ledger-rules";
import { addressesOf, batchesOf, type Slice, transfersOf } from "./slice";

type Query = PendingQuery<Row[]>;

/** Rules over a slice of what is old. Each finds `detail`; each names the rule of the whole check that it does a part of. */
export const SLICE_RULES: [
  rule: keyof typeof LEDGER_RULES,
  query: (tx: TransactionSql, slice: Slice) => Query,
][] = [
  ["batches_match_transfers", transfersFitBatches],
  ["batches_match_transfers", batchesHaveTransfers],
  ["no_stray_transfers", transfersHaveBatches],
  ["batch_ids_unique", idsAreUnique],
  ["recipients_match_transfers", transfersAreIndexed],
  ["recipients_match_transfers", indexedHaveTransfers],
  ["issuances_have_origin", issuancesHaveOrigin],
  ["accounts_match_transfers", accountsMatchHistory],
];

function transfersFitBatches(tx: TransactionSql, slice: Slice): Query {
  return tx`
    select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ': stored (points, transfers) '
      || (b.points, b.transfer_count)::text || ', its rows (points, transfers, first and last position, destinations) '
      || (r.points, r.count, r.first, r.last, r.destinations)::text as detail
    from (${rowsOf(tx, transfersOf(tx, slice))}) as r
    join batches b on b.seq = r.batch_seq and b.contract_address = r.contract_address
    where ${rowsDiffer(tx)}`;
}

/** Sums and bounds of the transfers of each batch. */
export function rowsOf(tx: TransactionSql, condition: Query): Query {
  return tx`
    select t.batch_seq, t.contract_address, sum(t.points) as points, count(*) as count, min(t.position) as first,
      max(t.position) as last, count(distinct t.to_address) as destinations,
      bool_or(t.to_address = t.contract_address) as to_itself,
      bool_or(t.to_address = decode(repeat('00', 20), 'hex')) as to_zero
    from transfers t where ${condition} group by t.batch_seq, t.contract_address`;
}

/** Whether a batch `b` differs from its rows `r`. */
export function rowsDiffer(tx: TransactionSql): Query {
  return tx`(b.points, b.transfer_count, 0, b.transfer_count - 1, b.transfer_count, false, false)
    is distinct from (r.points, r.count, r.first, r.last, r.destinations, r.to_itself, r.to_zero)`;
}

function batchesHaveTransfers(tx: TransactionSql, slice: Slice): Query {
  return tx`
    select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ' has no rows' as detail
    from batches b where ${batchesOf(tx, slice)}
      and not exists (select from transfers t where t.batch_seq = b.seq and t.contract_address = b.contract_address)`;
}

function transfersHaveBatches(tx: TransactionSql, slice: Slice): Query {
  return tx`
    select 'transfer ' || t.position || ' of 0x' || encode(t.contract_address, 'hex') || ' has no batch (sequence '
      || t.batch_seq || ')' as detail
    from transfers t where ${transfersOf(tx, slice)}
      and not exists (select from batches b where b.seq = t.batch_seq and b.contract_address = t.contract_address)`;
}

function idsAreUnique(tx: TransactionSql, slice: Slice): Query {
  return tx`
    select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ' stands more than once' as detail
    from batches b where ${batchesOf(tx, slice)}
      and exists (select from batches o
        where o.id = b.id and o.contract_address = b.contract_address and o.seq <> b.seq)`;
}

function transfersAreIndexed(tx: TransactionSql, slice: Slice): Query {
  return tx`
    select 'not indexed: batch sequence ' || t.batch_seq || ' to 0x' || encode(t.to_address, 'hex') as detail
    from transfers t join batches b on b.seq = t.batch_seq and b.contract_address = t.contract_address
    left join recipient_transfers r on r.to_address = t.to_address and r.created_at = b.created_at
      and r.batch_seq = t.batch_seq and r.contract_address = t.contract_address and r.points = t.points
    where ${transfersOf(tx, slice)} and r.batch_seq is null
      and (b.created_at, b.seq) <= (select p.created_at, p.batch_seq from recipient_progress p)`;
}

/** An indexed row of a FINALIZED batch without its transfer shows as an account that does not match. */
function indexedHaveTransfers(tx: TransactionSql, slice: Slice): Query {
  return tx`
    select 'indexed without cause: batch sequence ' || r.batch_seq || ' to 0x' || encode(r.to_address, 'hex') as detail
    from recipient_transfers r
    left join batches b on b.seq = r.batch_seq and b.contract_address = r.contract_address
    where ${addressesOf(tx, slice, "r.to_address")}
      and (b.seq is null or b.created_at <> r.created_at
        or (b.created_at, b.seq) > (select p.created_at, p.batch_seq from recipient_progress p)
        or b.status <> 'FINALIZED' and not exists (select from transfers t
          where t.batch_seq = r.batch_seq and t.contract_address = r.contract_address and t.to_address = r.to_address
            and t.points = r.points))`;
}

function issuancesHaveOrigin(tx: TransactionSql, slice: Slice): Query {
  return tx`
    select 'issuance ' || i.id || ' of ' || i.points || ' ' || i.point_type || ' to 0x'
      || encode(i.contract_address, 'hex') || ': batch sequence ' || i.batch_seq as detail
    from issuances i left join batches b on b.contract_address = i.contract_address and b.seq = i.batch_seq
    where i.batch_seq is not null and ${addressesOf(tx, slice, "i.contract_address")}
      and (b.seq is null or b.point_type <> i.point_type or i.points > b.points)
    union all
    select 'batch sequence ' || i.batch_seq || ' was issued points ' || count(*) || ' times' from issuances i
    where i.batch_seq is not null and ${addressesOf(tx, slice, "i.contract_address")}
    group by i.contract_address, i.batch_seq having count(*) > 1`;
}

/** The balances of a range of addresses from all their history: what they received by the index of recipients. */
function accountsMatchHistory(tx: TransactionSql, slice: Slice): Query {
  return tx`
    with changes as (
      select r.to_address as address, b.point_type, 0::numeric as earned, r.points as received, 0::numeric as sent,
        0::numeric as pending
      from recipient_transfers r join batches b on b.seq = r.batch_seq and b.contract_address = r.contract_address
      where ${addressesOf(tx, slice, "r.to_address")} and b.status = 'FINALIZED'
      union all
      select t.to_address, b.point_type, 0, t.points, 0, 0
      from batches b join transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      where (b.created_at, b.seq) > (select p.created_at, p.batch_seq from recipient_progress p)
        and b.status = 'FINALIZED' and ${addressesOf(tx, slice, "t.to_address")}
      union all
      select b.contract_address, b.point_type, 0, 0, case b.status when 'FINALIZED' then b.points else 0 end,
        case when b.status in ('PENDING', 'FINALIZING') then b.points else 0 end
      from batches b where ${addressesOf(tx, slice, "b.contract_address")}
      union all
      select i.contract_address, i.point_type, i.points, 0, 0, 0
      from issuances i where ${addressesOf(tx, slice, "i.contract_address")}
    ), expected as (
      select address, point_type, sum(earned) as earned, sum(received) as received, sum(sent) as sent,
        sum(pending) as pending from changes group by address, point_type
    ), stored as (
      select a.address, a.point_type, a.earned, a.received, a.sent, a.pending
      from accounts a where ${addressesOf(tx, slice, "a.address")}
    )
    select '0x' || encode(address, 'hex') || ' ' || point_type
      || ': stored (earned, received, sent, pending) ' || (a.earned, a.received, a.sent, a.pending)::text
      || ', recomputed from all its history ' || (e.earned, e.received, e.sent, e.pending)::text as detail
    from stored a full join expected e using (address, point_type)
    where (coalesce(a.earned, 0), coalesce(a.received, 0), coalesce(a.sent, 0), coalesce(a.pending, 0))
      <> (coalesce(e.earned, 0), coalesce(e.received, 0), coalesce(e.sent, 0), coalesce(e.pending, 0))`;
}
