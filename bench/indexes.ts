import { randomUUID } from "node:crypto";
import { seedDemo } from "@/server/demo/seed-demo";
import { type BenchOptions, short, table } from "./measure";
import type { World } from "./world";

const BATCHES = 100_000;
const TABLES = ["batches", "batch_transfers", "recipient_transfers", "issuances", "accounts"];

type TableSize = { name: string; rows: number; heap: number; indexes: number; count: number };
const figuresOf = (row: TableSize) =>
  [row.rows, row.heap / row.rows, row.indexes / row.rows, row.count].map(short);

/** Bytes per row of each table and of its indexes, with the demo's month. */
export async function benchIndexes({ wants }: BenchOptions, world: World): Promise<string> {
  const { db } = await world.newDatabase("indexes");
  const admin = { adminEmail: "admin@example.com", adminPassword: randomUUID() };
  await seedDemo(db, { batches: BATCHES, add: false, ...admin });
  await db.sql`vacuum analyze`;
  const rows = await db.sql<TableSize[]>`
    select relname as name, reltuples::float8 as rows,
      pg_table_size(oid)::float8 as heap, pg_indexes_size(oid)::float8 as indexes,
      (select count(*)::int from pg_index where indrelid = c.oid) as count
    from pg_class c where oid = any(${TABLES}::text[]::regclass[])
    order by array_position(${TABLES}::text[], relname::text)`;
  const lines = rows.filter(({ name }) => wants(name)).map((row) => [row.name, ...figuresOf(row)]);
  return table(["table", "rows", "bytes per row", "index bytes per row", "indexes"], lines);
}
