import type { TransactionSql } from "postgres";
import { PACKED_COLUMNS, unpacked } from "../ledger/packed-transfers";

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
