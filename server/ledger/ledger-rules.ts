import type { PendingQuery, Row, TransactionSql } from "postgres";
import type { Scope } from "./checkpoint";
import { ADDRESSES_OF, TRANSFERS_OF } from "./packed-transfers";
import { transferHash } from "./transfer-hash";

type Query = PendingQuery<Row[]>;

export interface Rule {
  /** The scopes that the rule applies to; all when absent. */
  scopes?: Scope["name"][];
  /** Returns violations: a `detail` column, one row per finding. */
  find: (tx: TransactionSql, scope: Scope) => Query;
}

/** Each recomputes its values from the packed transfers and `issuances`, and trusts no stored sum. */
export const LEDGER_RULES = {
  // Then what was earned is available or pending, since available = earned + received - sent - pending.
  sums_balance: {
    scopes: ["whole", "new"],
    find: (tx) => tx`
      select point_type || ': received ' || trim_scale(sum(received))
        || ', sent ' || trim_scale(sum(sent)) as detail
      from accounts group by point_type having sum(received) <> sum(sent)`,
  },

  nothing_negative: {
    scopes: ["whole", "new"],
    find: (tx) => tx`
      select '0x' || encode(address, 'hex') || ' ' || point_type || ': earned ' || earned
        || ', received ' || received || ', sent ' || sent || ', pending ' || pending as detail
      from accounts where least(earned, received, sent, pending, earned + received - sent - pending) < 0`,
  },

  contracts_have_accounts: {
    scopes: ["whole", "new"],
    find: (tx) => tx`
      select '0x' || encode(c.address, 'hex') || ' has no account for ' || kind as detail
      from contracts c cross join unnest(enum_range(null::point_type)) as kind
      where not exists (select 1 from accounts a where a.address = c.address and a.point_type = kind)`,
  },

  accounts_match_transfers: {
    find: (tx, { balances, history }) => tx`
      select '0x' || encode(address, 'hex') || ' ' || point_type
        || ': stored minus recomputed balances (earned, received, sent, pending) '
        || (sum(earned), sum(received), sum(sent), sum(pending))::text as detail
      from (
        ${balances}
        union all
        select address, point_type, -earned, -received, -sent, -pending from (${history}) as history
      ) as differences
      group by address, point_type
      having (sum(earned), sum(received), sum(sent), sum(pending)) <> (0, 0, 0, 0)`,
  },

  batches_match_transfers: {
    find: (tx, { batches }) => tx`
      select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ': stored (points, transfers) '
        || (b.points, b.transfer_count)::text
        || ', in transfers (points, transfers, address bytes, recipients, pays itself) '
        || (s.points, s.count, s.bytes, s.destinations, s.to_itself)::text as detail
      from batches b
      left join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      ${tx.unsafe(ADDRESSES_OF)}
      cross join lateral (
        select sum(u.points) as points, count(*) as count, length(w.addresses) as bytes,
          count(distinct u.to_address) as destinations,
          coalesce(bool_or(u.to_address = t.contract_address), false) as to_itself
        from ${tx.unsafe(TRANSFERS_OF)} as u
      ) as s
      where ${batches} and (b.points, b.transfer_count, 20 * b.transfer_count, b.transfer_count, false)
        is distinct from (s.points, s.count, s.bytes, s.destinations, s.to_itself)`,
  },

  no_stray_transfers: {
    scopes: ["whole", "slice"],
    find: (tx, { sequences }) => tx`
      select cardinality(t.points) || ' transfers of 0x' || encode(t.contract_address, 'hex')
        || ' have no batch (sequence ' || t.batch_seq || ')' as detail
      from batch_transfers t where ${sequences("t.batch_seq")}
        and not exists (
          select 1 from batches b where b.seq = t.batch_seq and b.contract_address = t.contract_address)`,
  },

  batch_ids_unique: {
    find: (tx, { batches }) => tx`
      select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ' is stored more than once' as detail
      from batches b where ${batches} and exists (select 1 from batches o
        where o.contract_address = b.contract_address and o.id = b.id and o.seq <> b.seq)`,
  },

  status_times_fit: {
    find: (tx, { batches }) => tx`
      select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ' is ' || b.status
        || ': created ' || b.created_at || ', due ' || b.finalize_at
        || ', updated ' || coalesce(b.updated_at::text, 'never')
        || ', finalized ' || coalesce(b.finalized_at::text, 'never')
        || ', cancelled ' || coalesce(b.cancelled_at::text, 'never') as detail
      from batches b where ${batches} and (
        (b.status = 'FINALIZED') <> (b.finalized_at is not null)
        or (b.status = 'CANCELLED') <> (b.cancelled_at is not null)
        or (b.status = 'FINALIZING') <> (b.lease_until is not null)
        or (b.status = 'PENDING') <> (b.updated_at is null)
        or (b.status in ('FINALIZING', 'FINALIZED') and (b.claim_id is null or b.claimed_at is null))
        or b.finalize_at <> b.created_at + b.wait_seconds * interval '1 second'
        or b.finalized_at < b.finalize_at or b.cancelled_at < b.created_at)`,
  },

  approvals_given: {
    find: (tx, { batches }) => tx`
      select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ' is ' || b.status
        || ' and needed approval (' || b.approval_need || '): '
        || coalesce('approved by ' || b.approved_by || ', its submitter', 'not approved') as detail
      from batches b
      where ${batches} and b.status in ('FINALIZING', 'FINALIZED') and b.approval_need is not null
        and (b.approved_at is null or b.approved_by in (b.submitted_by, b.token_created_by))`,
  },

  issuances_have_origin: {
    find: (tx, { issuances }) => tx`
      select 'issuance ' || i.id || ' of ' || i.points || ' ' || i.point_type || ' to 0x'
        || encode(i.contract_address, 'hex') || ': batch sequence ' || i.batch_seq as detail
      from issuances i left join batches b on b.contract_address = i.contract_address and b.seq = i.batch_seq
      where i.batch_seq is not null and ${issuances}
        and (b.seq is null or b.point_type <> i.point_type or i.points > b.points)
      union all
      select 'batch sequence ' || i.batch_seq || ' has ' || count(*) || ' issuances instead of one'
      from issuances i where i.batch_seq is not null and ${issuances}
      group by i.contract_address, i.batch_seq having count(*) > 1`,
  },

  // Each row of a reversal that is not cancelled is a row of its FINALIZED batch and marked as taken back. No
  // other row is.
  reversals_match: {
    find: (tx, { batches }) => tx`
      select '0x' || encode(contract_address, 'hex') || ': reversal with sequence ' || reversal_seq
        || ' of sequence ' || batch_seq || ', recipient 0x' || encode(to_address, 'hex')
        || ': (in the reversal, in the batch, marked) ' || (sum(taken), sum(paid), sum(marked))::text
        || ', amounts from ' || min(points) || ' to ' || max(points) as detail
      from (
        select b.contract_address, b.reverses_seq as batch_seq, b.seq as reversal_seq, u.to_address, u.points,
          1 as taken, 0 as paid, 0 as marked
        from batches b
          join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
        ${tx.unsafe(ADDRESSES_OF)} cross join lateral ${tx.unsafe(TRANSFERS_OF)} as u
        where ${batches} and b.reverses_seq is not null and b.status <> 'CANCELLED'
        union all
        select b.contract_address, b.reverses_seq, b.seq, u.to_address, u.points, 0, 1, 0
        from batches b
          join batches o on o.contract_address = b.contract_address and o.seq = b.reverses_seq
            and o.status = 'FINALIZED' and o.reverses_seq is null and o.point_type = b.point_type
          join batch_transfers t on t.batch_seq = o.seq and t.contract_address = o.contract_address
        ${tx.unsafe(ADDRESSES_OF)} cross join lateral ${tx.unsafe(TRANSFERS_OF)} as u
        where ${batches} and b.reverses_seq is not null and b.status <> 'CANCELLED'
        union all
        select r.contract_address, r.batch_seq, r.reversal_seq, r.to_address, r.points, 0, 0, 1
        from reversed_transfers r
          join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
        where ${batches}
      ) as sides
      group by contract_address, batch_seq, reversal_seq, to_address
      having (sum(taken), sum(marked)) <> (0, 0)
        and ((sum(taken), sum(paid), sum(marked)) <> (1, 1, 1) or min(points) <> max(points))`,
  },

  no_stray_marks: {
    scopes: ["whole", "slice"],
    find: (tx, { sequences }) => tx`
      select 'recipient 0x' || encode(r.to_address, 'hex') || ' of 0x' || encode(r.contract_address, 'hex')
        || ', sequence ' || r.batch_seq || ', is marked as taken back by a batch that does not exist '
        || '(sequence ' || r.reversal_seq || ')' as detail
      from reversed_transfers r where ${sequences("r.reversal_seq")}
        and not exists (
          select 1 from batches b where b.contract_address = r.contract_address and b.seq = r.reversal_seq)`,
  },

  // Sums of hashes per batch need no sorting, and a distributed ledger transfers only the sums.
  recipients_match_transfers: {
    scopes: ["whole", "slice"],
    find: (tx, { sequences }) => tx`
      select 'batch sequence ' || batch_seq || ' of 0x' || encode(contract_address, 'hex')
        || ': ' || sum(transfers) || ' transfers, ' || sum(rows) || ' rows in the recipient index'
        || case when sum(transfers) = sum(rows) then ', with different contents' else '' end as detail
      from (
        select t.contract_address, t.batch_seq, cardinality(t.points) as transfers, 0 as rows, s.hashes
        from batches b
          join batch_transfers t on t.batch_seq = b.seq and t.contract_address = b.contract_address
        ${tx.unsafe(ADDRESSES_OF)}
        cross join lateral (
          select sum(${transferHash(tx, "u.to_address", "u.points", "b.created_at")}) as hashes
          from ${tx.unsafe(TRANSFERS_OF)} as u
        ) as s
        where ${sequences("t.batch_seq")}
          and (b.created_at, b.seq) <= (select p.created_at, p.batch_seq from recipient_progress p)
        union all
        select r.contract_address, r.batch_seq, 0, count(*),
          -sum(${transferHash(tx, "r.to_address", "r.points", "r.created_at")})
        from recipient_transfers r where ${sequences("r.batch_seq")} group by r.contract_address, r.batch_seq
      ) as sides
      group by contract_address, batch_seq having (sum(transfers), sum(hashes)) <> (sum(rows), 0)`,
  },
} satisfies Record<string, Rule>;
