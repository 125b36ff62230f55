import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { migrateDatabase } from "@/db/migrate";
import { urlAt, withSql } from "@/testing/citus/make-database";
import { cleanEmbedded, emptyFolder } from "@/testing/embedded-folder";
import { refusalOf } from "@/testing/expectations";
import { columnsOf, tableHashes, useEveryTable } from "@/testing/used-rows";
import { DISTRIBUTED_TABLES, distributeTables, MANAGED_TABLES } from "./distribute-tables";

// A separate server, so that this is a single Postgres even when the other tests run on a cluster.
let server: EmbeddedPostgres;
let db: Database;
let databases = 0;

beforeAll(async () => {
  server = await startEmbeddedPostgres({
    dataDir: emptyFolder(),
    asSuperuser: true,
    extraSettings: { fsync: "off" },
  });
  await withSql(server.url, (sql) => sql`create database template_migrated`);
  await migrateDatabase({ url: urlAt(server.url, { database: "template_migrated" }), timeoutSeconds: 20 });
});
afterAll(cleanEmbedded);

const connect = () => {
  const url = urlAt(server.url, { database: `distribute_${databases}` });
  return createDatabase({ url, poolMax: 4, timeoutSeconds: 10, pooler: "none" });
};

beforeEach(async () => {
  const database = `distribute_${++databases}`;
  await withSql(server.url, (sql) => sql`create database ${sql(database)} template template_migrated`);
  db = connect();
});
afterEach(() => db.close());

const distributed = Object.keys(DISTRIBUTED_TABLES);
const managed = Object.keys(MANAGED_TABLES);

/**
 * A stub of the Citus functions that the command calls. It records the calls and moves no rows.
 * distribute.citus.db.test.ts runs the same command on a real cluster.
 */
async function installStub(): Promise<void> {
  await db.sql.unsafe(`
    create table pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text, colocationid int, repmodel "char");
    create table pg_dist_shard (logicalrelid regclass, shardid int);
    create table pg_dist_placement (shardid int, groupid int);
    create table pg_dist_local_group (groupid int);
    insert into pg_dist_local_group values (0);
    create table pg_dist_node (nodeid int, groupid int, nodename text, nodeport int, isactive bool default true,
      noderole text default 'primary', shouldhaveshards bool, is_up bool default true, prepared_max int default 400);
    insert into pg_dist_node values (1, 0, 'c', 5432, default, default, false), (2, 1, 'w', 5432, default, default, true);
    create function run_command_on_all_nodes(command text) returns table (nodeid int, success bool, result text)
    language plpgsql as $$
    declare said text;
    begin
      execute command into said;
      return query select n.nodeid, n.is_up,
        jsonb_set(said::jsonb, '{maxPreparedTransactions}', to_jsonb(n.prepared_max))::text from pg_dist_node n;
    end $$;
    create function column_to_column_name(relation regclass, key text) returns text language sql as 'select key';
    create function create_distributed_table(name regclass, by text, colocate_with text) returns void language plpgsql as $$
    begin
      if current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on'
        and exists (select from pg_trigger where tgrelid = name and not tgisinternal) then
        raise exception 'triggers are not supported on distributed tables';
      end if;
      insert into pg_dist_partition values (name, 'h', by, case colocate_with when 'none' then 1 else
        (select colocationid from pg_dist_partition where logicalrelid = colocate_with::regclass) end, 's');
      insert into pg_dist_shard select name, generate_series(1, current_setting('citus.shard_count')::int);
    end $$;
    create function citus_add_local_table_to_metadata(name regclass, cascade_via_foreign_keys boolean) returns void language sql as
      $$insert into pg_dist_partition values (name, 'n', null, 0, 's');
        select setval(pg_get_serial_sequence(name::text, attname), 1, false)
        from pg_attribute where attrelid = name and attidentity <> ''$$;
    create function truncate_local_data_after_distributing_table(name regclass) returns void language sql as '';
    set allow_system_table_mods = on;
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
      values (999999, 'citus', 10, 2200, false, '13.2-1');
    reset allow_system_table_mods;
    do $$ begin
      -- A setting that only Citus knows cannot be altered for the server without it.
      execute format('alter database %I set citus.recover_2pc_interval = ''5s''', current_database());
      execute format('alter database %I set citus.version = ''13.2.2''', current_database());
    end $$`);
  await reconnect();
}

/** Database settings apply only to new connections. */
async function reconnect(): Promise<void> {
  await db.close();
  db = connect();
}

const placements = async () => [
  ...(await db.sql<{ table: string; by: string | null; group: number }[]>`
    select logicalrelid::text as table, partkey as by, colocationid as "group" from pg_dist_partition`),
];
const placed = (tables: Awaited<ReturnType<typeof distributeTables>>["tables"]) =>
  tables.filter(({ seconds }) => seconds !== null).map(({ table }) => table);

test("distribute, with a stub of Citus, places every table once in one colocation group, even when it runs twice at the same time, and later adds a new version's tables only", async () => {
  await installStub();
  const both = await Promise.all([distributeTables(db), distributeTables(db)]);
  expect(both.flatMap(({ tables }) => placed(tables))).toEqual([...managed, ...distributed]);
  expect(both[0]).toMatchObject({ workers: ["w:5432"], shards: 8, forAdministrator: [] });
  expect(await placements()).toEqual([
    ...managed.map((table) => ({ table, by: null, group: 0 })),
    ...Object.entries(DISTRIBUTED_TABLES).map(([table, by]) => ({ table, by, group: 1 })),
  ]);
  await db.sql`delete from pg_dist_partition where logicalrelid in ('accounts'::regclass, 'audit_log'::regclass)`;
  await reconnect();
  const { tables, settings } = await distributeTables(db);
  expect([placed(tables), settings]).toEqual([["audit_log", "accounts"], []]);
  const { message } = await refusalOf(distributeTables(db, { shards: 16 }));
  expect(message).toContain("The tables already have 8 shards.");
});

test("distribute, with a stub of Citus, leaves every row of a used installation as it is, and its sequences continue", async () => {
  await useEveryTable(db);
  const columns = await columnsOf(db);
  const before = await tableHashes(db, columns);
  await installStub();
  await distributeTables(db);
  expect(await tableHashes(db, columns)).toEqual(before);
  const sequences = await db.sql`select distinct last_value from pg_sequences where schemaname = 'public'`;
  expect(sequences).toEqual([{ last_value: "100" }]);
});

const PLACED = "insert into pg_dist_partition values";
test.each([
  [
    `${PLACED} ('recipient_transfers', 'h', 'contract_address', 1, 's')`,
    "recipient_transfers is distributed by contract_address, but this version needs it distributed by to_address.",
  ],
  [
    `${PLACED} ('batches', 'h', 'contract_address', 1, 's'), ('accounts', 'h', 'address', 2, 's')`,
    "accounts is distributed, but not colocated with batches.",
  ],
  ["update pg_dist_local_group set groupid = 1", "DATABASE_URL points to a worker."],
  ["delete from pg_dist_node where groupid = 0", "The coordinator's address is not set in Citus."],
  ["delete from pg_dist_node where groupid = 1", "The coordinator has no worker that can hold shards."],
  ["update pg_dist_node set is_up = false where groupid = 1", "cannot connect as postgres to w:5432."],
  ["update pg_dist_node set prepared_max = 0", "max_prepared_transactions is 0 on c:5432, w:5432."],
  ["update pg_extension set extversion = '12.1-1' where extname = 'citus'", "is older than 13"],
  ["delete from drizzle.__drizzle_migrations", "The schema is not up to date."],
])("distribute, with a stub of Citus, is refused and changes nothing after: %s", async (statement, said) => {
  await installStub();
  await db.sql.begin(async (tx) => {
    await tx`set local allow_system_table_mods = on`;
    await tx.unsafe(statement);
  });
  const before = await placements();
  const { message } = await refusalOf(distributeTables(db));
  expect(message).toMatch(/^[^\n]*Nothing was changed\.[^\n]*$/);
  expect(message).toContain(said);
  expect(await placements()).toEqual(before);
});
