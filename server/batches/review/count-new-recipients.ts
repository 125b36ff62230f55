import type { Database } from "@/db/client";
import { isDistributed } from "@/server/kernel/shards";
import { packTransfers, type Transfer } from "../../ledger/packed-transfers";

/** The most rows of the recipient index that one batch's recipients are searched in, together. */
const READ_MAX = 500_000;

interface Payment {
  contract: Buffer;
  transfers: readonly Transfer[];
  createdAt: string;
  seq: string;
}

/**
 * Recipients that this contract has not paid before, by the recipient index, which lags by a few seconds at most. Only the
 * latest transfers of each wallet are searched: 250 with 2,000 recipients. A wallet that many others have paid since counts as new.
 */
export async function countNewRecipients(
  db: Pick<Database, "sql">,
  { contract, transfers, createdAt, seq }: Payment,
): Promise<number> {
  const { sql } = db;
  const paid = sql`
    paid as materialized (
      select substring(addresses from from_byte for 20) as to_address
      from (select ${packTransfers(transfers).addresses}::text::bytea as addresses) as packed,
        generate_series(1, length(addresses), 20) as from_byte
    )`;
  const before = sql`(r.created_at, r.batch_seq) < (${createdAt}::timestamptz, ${seq}::bigint)`;
  // Citus has no LIMIT in a LATERAL over two distributions, so it reads all transfers of a wallet.
  const known = (await isDistributed(db))
    ? sql`select count(distinct r.to_address)::int as known
        from paid join recipient_transfers r on r.to_address = paid.to_address
        where r.contract_address = ${contract} and ${before}`
    : sql`select count(*)::int as known from paid where exists (
        select 1 from (
          select r.contract_address from recipient_transfers r where r.to_address = paid.to_address and ${before}
          order by r.created_at desc, r.batch_seq desc limit ${Math.floor(READ_MAX / transfers.length)}::int
        ) as latest where latest.contract_address = ${contract})`;
  const [row] = await sql<{ known: number }[]>`with ${paid} ${known}`;
  return transfers.length - row!.known;
}
