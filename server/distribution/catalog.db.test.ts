import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { useDatabase } from "@/testing/test-database";
import { DISTRIBUTED_TABLES, LOCAL_TABLES, MANAGED_TABLES } from "./distribute-tables";

const db = useDatabase();

const distributed = Object.entries(DISTRIBUTED_TABLES);
const names = Object.keys(DISTRIBUTED_TABLES);
/** Not the shards, which have the same keys. */
const all = [...names, ...Object.keys(LOCAL_TABLES)];

test("every table is either distributed or stays local for a stated reason", async () => {
  const tables = await db.sql<{ name: string }[]>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;
  expect(tables.map(({ name }) => name).sort()).toEqual([...names, ...Object.keys(LOCAL_TABLES)].sort());
});

test("every unique key contains the distribution column, a non-null column of bytes as in every table of the colocation group", async () => {
  for (const [table, column] of distributed) {
    const keys = await db.sql<{ name: string; columns: string[] }[]>`
      select c.relname as name, array(
        select a.attname::text from unnest(i.indkey) as k join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k) as columns
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ${table}::text::regclass and (i.indisunique or i.indisexclusion)`;
    expect(keys.length, table).toBeGreaterThan(0);
    expect(
      keys.filter(({ columns }) => !columns.includes(column)),
      table,
    ).toEqual([]);
    const [found] = await db.sql`
      select format_type(atttypid, atttypmod) as type, attnotnull as "notNull", attgenerated as generated from pg_attribute
      where attrelid = ${table}::text::regclass and attname = ${column}`;
    expect(found, table).toEqual({ type: "bytea", notNull: true, generated: "" });
  }
});

test("foreign keys join distributed tables by their distribution columns, in the order of distributing, and managed tables to each other", async () => {
  const keys = await db.sql<{ table: string; columns: string[]; target: string; targetColumns: string[] }[]>`
    select conrelid::regclass::text as table, confrelid::regclass::text as target,
      array(select attname::text from unnest(conkey) with ordinality as k (num, at)
        join pg_attribute on attrelid = conrelid and attnum = num order by at) as columns,
      array(select attname::text from unnest(confkey) with ordinality as k (num, at)
        join pg_attribute on attrelid = confrelid and attnum = num order by at) as "targetColumns"
    from pg_constraint where contype = 'f' and conrelid::regclass::text = any(${all}::text[])`;
  expect(keys.length).toBeGreaterThan(0);
  const distributedBy = new Map<string, string>(distributed);
  for (const { table, columns, target, targetColumns } of keys) {
    if (table in MANAGED_TABLES) {
      expect(Object.keys(MANAGED_TABLES)).toContain(target);
      continue;
    }
    const at = columns.indexOf(distributedBy.get(table)!);
    expect(at, table).toBeGreaterThanOrEqual(0);
    expect(targetColumns[at], table).toBe(distributedBy.get(target));
    expect(names.indexOf(target), `${target}, before ${table}`).toBeLessThan(names.indexOf(table));
  }
});

test("triggers fire per row and read no table, so that each shard can have its own", async () => {
  const triggers = await db.sql<{ name: string; perRow: boolean; body: string }[]>`
    select tgname::text as name, tgtype & 1 = 1 as "perRow", prosrc as body from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where tgrelid::regclass::text = any(${names}::text[]) and not tgisinternal order by tgname`;
  expect(triggers.map(({ name }) => name)).toEqual([
    "allocation_claims_immutable",
    "allocation_claims_kept",
    "allocation_nodes_immutable",
    "approval_rules_never_deleted",
    "approval_rules_second_admin",
    "batch_transfers_immutable",
    "batches_legal_change",
    "batches_released",
    "contracts_second_admin",
    "snapshot_holders_immutable",
  ]);
  for (const { perRow, body } of triggers) {
    expect(perRow).toBe(true);
    expect(body).not.toMatch(/\b(?:select|insert|update|delete|from|perform)\b/i);
  }
});

/** Files that write both kinds of tables, but do not need both writes to be atomic. */
const APART: Record<string, string> = {
  "server/finalizer/delete-expired.ts": "each table is swept by its own statement",
  "server/demo":
    "writes every shard in one transaction, which Citus commits in two phases together with the coordinator",
};

const ROOT = path.resolve(import.meta.dirname, "../..");

function sources(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return name === "testing" ? [] : sources(name);
    return name.endsWith(".ts") && !name.endsWith(".test.ts") ? [name] : [];
  });
}

function writes(text: string, tables: object): string[] {
  return Object.keys(tables).filter((table) =>
    new RegExp(`\\b(?:insert into|update|delete from) ${table}\\b`, "i").test(text),
  );
}

test("a local table that is written together with a distributed one is managed by Citus", () => {
  const unmanaged = sources("server")
    .filter((file) => !Object.keys(APART).some((apart) => file.startsWith(apart)))
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      if (writes(text, DISTRIBUTED_TABLES).length === 0) return [];
      return writes(text, LOCAL_TABLES)
        .filter((table) => !(table in MANAGED_TABLES))
        .map((table) => `${file} writes ${table}`);
    });
  expect(unmanaged).toEqual([]);
});
