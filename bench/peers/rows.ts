import type { Database } from "@/db/client";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";

/** The peers' table with a row per transfer, as one would write it by hand. */
export async function makeRowsTable({ sql }: Database): Promise<void> {
  await sql`
    create table transfers (
      batch_seq bigint not null,
      contract_address bytea not null,
      position integer not null,
      to_address bytea not null,
      points numeric(38,12) not null,
      primary key (batch_seq, contract_address, position),
      constraint transfers_address_length check (octet_length(to_address) = 20),
      constraint transfers_points check (points > 0)
    )`;
}

/** Converts the seeded packed rows into the peers' rows. */
export async function unpackIntoRows(db: Database): Promise<void> {
  const { sql } = db;
  await makeRowsTable(db);
  await sql`
    insert into transfers (batch_seq, contract_address, position, to_address, points)
    with packed as materialized (select ${sql.unsafe(PACKED_COLUMNS)} from batch_transfers t)
    select batch_seq, contract_address, position, to_address, points
    from (${unpacked(sql, "packed", "p.batch_seq, p.contract_address")}) as each order by 1, 3`;
  await sql`truncate batch_transfers`;
  await sql`vacuum analyze transfers`;
  await sql`checkpoint`;
}
