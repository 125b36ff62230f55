import type { PendingQuery, Row, TransactionSql } from "postgres";
import { type Checkpoint, changesSince } from "./checkpoint";
import { LEDGER_RULES, STATUS_TIMES_DIFFER } from "./ledger-rules";
import { batchesOf, type Slice } from "./slice";
import { rowsDiffer } from "./slice-rules";

type Query = PendingQuery<Row[]>;

type Rule = [
  rule: keyof typeof LEDGER_RULES,
  query: (tx: TransactionSql, checkpoint: Checkpoint, slice: Slice) => Query,
];

/** Rules over what is new since the checkpoint, and over all accounts: a check of any slice reads them. */
export const NEW_RULES: Rule[] = [
  ["sums_balance", (tx) => tx`${tx.unsafe(LEDGER_RULES.sums_balance)}`],
  ["nothing_negative", (tx) => tx`${tx.unsafe(LEDGER_RULES.nothing_negative)}`],
  ["contracts_have_accounts", (tx) => tx`${tx.unsafe(LEDGER_RULES.contracts_have_accounts)}`],
  ["accounts_match_transfers", accountsMatchCheckpoint],
  ["batches_match_transfers", newBatchesMatch],
  ["status_times_fit", statusTimesFit],
];

/** Every account is what was checked before, and what was settled, issued and reserved since. */
function accountsMatchCheckpoint(tx: TransactionSql, checkpoint: Checkpoint): Query {
  return tx`
    with since as materialized (${changesSince(tx, checkpoint)}), waiting as (
      select contract_address as address, point_type, sum(points) as pending from batches
      where status in ('PENDING', 'FINALIZING') group by 1, 2
    ), compared as (
      select address, point_type, a.earned, a.received, a.sent, a.pending,
        coalesce(c.earned, 0) + coalesce(s.earned, 0) as expected_earned,
        coalesce(c.received, 0) + coalesce(s.received, 0) as expected_received,
        coalesce(c.sent, 0) + coalesce(s.sent, 0) as expected_sent, coalesce(w.pending, 0) as expected_pending
      from accounts a full join ledger_checkpoint_accounts c using (address, point_type)
        full join since s using (address, point_type) full join waiting w using (address, point_type)
    )
    select '0x' || encode(address, 'hex') || ' ' || point_type || ': stored (earned, received, sent, pending) '
      || (earned, received, sent, pending)::text || ', by the last check and what was settled since '
      || (expected_earned, expected_received, expected_sent, expected_pending)::text as detail
    from compared
    where (coalesce(earned, 0), coalesce(received, 0), coalesce(sent, 0), coalesce(pending, 0))
      <> (expected_earned, expected_received, expected_sent, expected_pending)`;
}

/** Batches that were made or finalized since; each part is one range of an index. */
function newBatchesMatch(tx: TransactionSql, { horizon }: Checkpoint): Query {
  return tx`
    select '0x' || encode(b.contract_address, 'hex') || '/' || b.id || ': stored (points, transfers) '
      || (b.points, b.transfer_count)::text || ', its rows (points, transfers, first and last position, destinations) '
      || (r.points, r.count, r.first, r.last, r.destinations)::text as detail
    from (
      select b.* from batches b where b.created_at > ${horizon}::timestamptz
      union
      select b.* from batches b where b.status = 'FINALIZED' and b.finalized_at > ${horizon}::timestamptz
    ) as b left join lateral (
      select sum(t.points) as points, count(*) as count, min(t.position) as first, max(t.position) as last,
        count(distinct t.to_address) as destinations, bool_or(t.to_address = t.contract_address) as to_itself,
        bool_or(t.to_address = decode(repeat('00', 20), 'hex')) as to_zero
      from transfers t where t.batch_seq = b.seq and t.contract_address = b.contract_address
    ) as r on true
    where ${rowsDiffer(tx)}`;
}

/** Those made or finalized since, those that wait, and those of the slice. */
function statusTimesFit(tx: TransactionSql, { horizon }: Checkpoint, slice: Slice): Query {
  return tx`
    select '0x' || encode(contract_address, 'hex') || '/' || id || ' is ' || status || ': created ' || created_at
      || ', due ' || finalize_at || ', updated ' || coalesce(updated_at::text, 'never') || ', finalized '
      || coalesce(finalized_at::text, 'never') || ', cancelled ' || coalesce(cancelled_at::text, 'never') as detail
    from (
      select b.* from batches b where b.created_at > ${horizon}::timestamptz
      union
      select b.* from batches b where b.status = 'FINALIZED' and b.finalized_at > ${horizon}::timestamptz
      union
      select b.* from batches b where ${batchesOf(tx, slice)}
    ) as b
    where ${tx.unsafe(STATUS_TIMES_DIFFER)}`;
}
