import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { migrateDatabase, migrationsUpTo } from "@/db/migrate";
import { deleteAllocation, removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { getClaim } from "@/server/allocations/get-claim";
import { publishAllocation } from "@/server/allocations/publish-allocation";
import { restoreBackup } from "@/server/backup/restore-backup";
import { writeBackup } from "@/server/backup/write-backup";
import { inOneSnapshot } from "@/server/kernel/shards";
import { checkLedger, readLedger } from "@/server/ledger/run-check";
import { CHECKS } from "@/server/operations/self-check";
import { deleteSnapshot } from "@/server/snapshots/delete-snapshot";
import { listHolders } from "@/server/snapshots/list-holders";
import { shortestPoints } from "@/terms/points";
import { makeDatabase, onEveryNode, urlAt, withSql, workersOf } from "@/testing/citus/make-database";
import {
  allocationOf,
  batchOf,
  finalize,
  newContract,
  snapshotOf,
  staffContext,
  submit,
  testContext,
} from "@/testing/factories";
import { DATABASE_SETTINGS, databaseStatement } from "./cluster";
import { DISTRIBUTED_TABLES, distributeTables, LOCAL_TABLES, MANAGED_TABLES } from "./distribute-tables";

const CITUS_URL = process.env.CITUS_URL as string;
const TRANSFERS = 30;

let name: string;
let url: string;
const open: Database[] = [];

beforeEach(() => {
  name = `ptb_${process.pid}_distribute_${randomBytes(4).toString("hex")}`;
  url = urlAt(CITUS_URL, { database: name });
});

afterEach(async () => {
  for (const db of open.splice(0)) await db.close();
  for (const node of await onEveryNode(CITUS_URL, "postgres"))
    await withSql(node, (sql) => sql`drop database if exists ${sql(name)} with (force)`);
});

function connect(to = url): Database {
  const db = createDatabase({ url: to, poolMax: 4, timeoutSeconds: 20, pooler: "none" });
  open.push(db);
  return db;
}

/** A migrated database on the coordinator, with its workers added. */
async function prepared(): Promise<Database> {
  await makeDatabase(CITUS_URL, await workersOf(CITUS_URL), name);
  await migrateDatabase({ url, timeoutSeconds: 20 });
  return connect();
}

/** Stores finalized, due and not yet due batches for several contracts. */
async function fill(db: Database): Promise<void> {
  for (let each = 0; each < 6; each++) {
    const contract = await newContract(db);
    const rows = Array.from({ length: TRANSFERS }, (_, row) => [1000 + each * 7 + row, "1.25"] as const);
    await submit(db, batchOf(contract, rows));
    await submit(db, batchOf(contract, rows, { secondsToFinalize: null }));
  }
  await finalize(db);
  for (let each = 0; each < 3; each++) await submit(db, batchOf(await newContract(db), [[1, "2"]]));
}

const tables = [...Object.keys(DISTRIBUTED_TABLES), ...Object.keys(LOCAL_TABLES)].sort();

/** Every row of every table, as text. */
async function contents({ sql }: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await sql<{ row: string }[]>`select ${sql(table)}::text as row from ${sql(table)}`;
    all[table] = rows.map(({ row }) => row).sort();
  }
  return all;
}

const placements = ({ sql }: Database) =>
  sql<{ table: string }[]>`select logicalrelid::text as table from pg_dist_partition`;

test("a filled database keeps its rows, rules and sequences, and continues to work", async () => {
  const db = await prepared();
  await fill(db);
  const before = await contents(db);
  const sequences = () => db.sql`
    select sequencename::text as name, last_value from pg_sequences where schemaname = 'public' order by 1`;
  const givenOut = [...(await sequences())];
  const done = await distributeTables(db);
  expect(done.tables.map(({ table }) => table)).toEqual([
    ...Object.keys(MANAGED_TABLES),
    ...Object.keys(DISTRIBUTED_TABLES),
  ]);
  expect(await contents(db)).toEqual(before);
  expect([...(await sequences())]).toEqual(givenOut);
  const [left] = await db.sql`
    select sum(pg_relation_size(each::regclass))::int as bytes from unnest(${`{${Object.keys(DISTRIBUTED_TABLES)}}`}::text::text[]) as each`;
  expect(left).toEqual({ bytes: 0 });

  // As for a ledger of millions of batches, whose partial sums exceed the default.
  await db.sql.unsafe(`alter database ${name} set citus.max_intermediate_result_size = '1kB'`);
  const later = connect();
  expect((await finalize(later)).batchesFinalized).toBe(3);
  await submit(later, batchOf(await newContract(later), [[5, "1"]]));
  expect(await checkLedger(later, CHECKS)).toMatchObject({ findings: [] });
  expect((await distributeTables(later)).tables.every(({ seconds }) => seconds === null)).toBe(true);
});

test("a snapshot over several workers does not change while batches are finalized", async () => {
  const db = await prepared();
  await distributeTables(db);
  const later = connect();
  await fill(later);
  const report = await inOneSnapshot(later, "read only", async (tx) => {
    expect(await finalize(later)).toMatchObject({ batchesFinalized: 3, failure: null });
    return await readLedger(tx, CHECKS);
  });
  expect(report.findings).toEqual([]);
});

test("a snapshot of a cluster has every worker's holders, now and of an earlier instant, and is paged and deleted", async () => {
  const db = await prepared();
  await distributeTables(db);
  const later = connect();
  await fill(later);
  const POINTS = { pointType: "PHASE2_POINTS" } as const;
  const contractAddress = await newContract(later);
  const mine = Array.from({ length: TRANSFERS }, (_, row) => [1000 + row, "0.5"] as const);
  await submit(later, batchOf(contractAddress, mine));
  await finalize(later);
  const requests = [POINTS, { ...POINTS, contractAddress }];
  const taken = [await snapshotOf(later, requests[0]!), await snapshotOf(later, requests[1]!)];
  const accounts = await later.sql<{ address: string; points: string }[]>`
    select '0x' || encode(a.address, 'hex') as address, (a.earned + a.received - a.sent)::text as points
    from accounts a left join contracts c on c.address = a.address
    where c.address is null and a.point_type = 'PHASE2_POINTS' and a.received <> 0 order by a.address`;
  const text = accounts.map(({ address, points }) => `${address} ${shortestPoints(points)}\n`).join("");
  expect(taken[0]).toMatchObject({
    ...{ status: "TAKEN", holders: accounts.length },
    digest: createHash("sha256").update(text).digest("hex"),
  });
  expect(taken[1]).toMatchObject({ status: "TAKEN", holders: TRANSFERS, points: String(TRANSFERS / 2) });
  await submit(later, batchOf(contractAddress, mine));
  await finalize(later);
  for (const [at, request] of requests.entries()) {
    const { asOf, digest, holders } = taken[at]!;
    expect(await snapshotOf(later, { ...request, asOf })).toMatchObject({ status: "TAKEN", digest, holders });
  }
  const page = { contractAddress, ...POINTS, snapshotId: taken[1]!.id, limit: TRANSFERS - 1 };
  const { holders: first, cursor } = await listHolders(testContext(later), page);
  const { holders: rest } = await listHolders(testContext(later), { ...page, cursor: cursor! });
  expect([first.length, rest.length]).toEqual([TRANSFERS - 1, 1]);
  expect(await checkLedger(later, CHECKS)).toMatchObject({ findings: [] });
  for (const { id } of taken)
    await deleteSnapshot(testContext(later, "ops"), { snapshotId: id }, removeAllocationsOf);
  expect([...(await later.sql`select count(*)::int as left from snapshot_holders`)]).toEqual([{ left: 2 }]);
});

test("an allocation of a cluster is made, proved, published and deleted, and a backup restores it there", async () => {
  const db = await prepared();
  await distributeTables(db);
  const later = connect();
  await fill(later);
  const { id: snapshotId } = await snapshotOf(later, { pointType: "PHASE2_POINTS" });
  const request = { snapshotId, name: "Season 1", rule: "PRO_RATA", total: "1000000", decimals: 6 } as const;
  const staff = staffContext(later);
  const made = await allocationOf(later, request);
  const other = await allocationOf(later, { ...request, name: "Season 2" });
  expect(made).toMatchObject({ status: "READY", sum: "1000000" });
  await publishAllocation(staff, { allocationId: made.id });
  await deleteAllocation(staff, { allocationId: other.id });
  const rows = await later.sql<{ address: Buffer }[]>`select first_address as address from allocation_claims`;
  expect(rows.length).toBe(1);
  const address = `0x${rows[0]!.address.toString("hex")}`;
  const prove = async (at: Database) => {
    const claim = await getClaim(testContext(at), { allocationId: made.id, address });
    const values = [claim.address, claim.amount];
    return StandardMerkleTree.verify(claim.root, ["address", "uint256"], values, claim.proof);
  };
  expect(await prove(later)).toBe(true);
  expect(await checkLedger(later, CHECKS)).toMatchObject({ findings: [] });
  const before = await contents(later);
  const folder = mkdtempSync(path.join(tmpdir(), "citus-backup-"));
  const file = path.join(folder, "backup.gz");
  await writeBackup(later, file);
  for (const each of open.splice(0)) await each.close();
  for (const node of await onEveryNode(CITUS_URL, "postgres"))
    await withSql(node, (sql) => sql`drop database ${sql(name)} with (force)`);
  await makeDatabase(CITUS_URL, await workersOf(CITUS_URL), name);
  const empty = connect();
  await restoreBackup({ db: empty, url, timeoutSeconds: 20 }, file);
  await distributeTables(empty);
  rmSync(folder, { recursive: true });
  const restored = connect();
  const { request_log: _, ...kept } = before;
  expect(await contents(restored)).toMatchObject(kept);
  expect(await prove(restored)).toBe(true);
  expect(await checkLedger(restored, CHECKS)).toMatchObject({ findings: [] });
});

/** Of the tables that the first version had. */
async function distributeFirstVersion({ sql }: Database): Promise<void> {
  const had = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public'`;
  const isThere = ([table]: [string, string]) => had.some(({ name: each }) => each === table);
  await sql.begin(async (tx) => {
    await tx`select set_config('citus.enable_unsafe_triggers', 'on', true),
      set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
    for (const [table] of Object.entries(MANAGED_TABLES).filter(isThere))
      await tx`
        select citus_add_local_table_to_metadata(${table}::text::regclass, cascade_via_foreign_keys => true)`;
    for (const [table, by] of Object.entries(DISTRIBUTED_TABLES).filter(isThere))
      await tx`select create_distributed_table(${table}::text::regclass, ${by}::text,
        colocate_with => ${table === "batches" ? "none" : "batches"}::text)`;
  });
}

test("a database that the first version distributed is migrated, and its new tables are distributed", async () => {
  await makeDatabase(CITUS_URL, await workersOf(CITUS_URL), name);
  const [first, ...later] = readMigrationFiles({ migrationsFolder: "db/migrations" });
  const folder = migrationsUpTo([String(first!.folderMillis)])!;
  await migrateDatabase({ url, timeoutSeconds: 20, migrationsFolder: folder.path });
  folder.remove();
  await distributeFirstVersion(connect());
  expect(await migrateDatabase({ url, timeoutSeconds: 20 })).toEqual({ applied: later.length });
  await distributeTables(connect());
  const db = connect();
  await fill(db);
  expect(await checkLedger(db, CHECKS)).toMatchObject({ findings: [] });
});

test("every trigger, check and key of a table exists and works on each of its shards", async () => {
  const db = await prepared();
  const rules = (relation: string) => `
    select json_build_object(
      'triggers', (select count(*) from pg_trigger where tgrelid = '${relation}'::regclass and not tgisinternal and tgenabled = 'O'),
      'checks', (select count(*) from pg_constraint where conrelid = '${relation}'::regclass and contype = 'c'),
      'keys', (select count(*) from pg_index where indrelid = '${relation}'::regclass and indisvalid and indisunique))`;
  const wanted = new Map<string, string>();
  for (const table of Object.keys(DISTRIBUTED_TABLES)) {
    const [row] = await db.sql.unsafe<{ json_build_object: object }[]>(rules(table));
    wanted.set(table, JSON.stringify(row!.json_build_object));
  }
  const { shards } = await distributeTables(db);
  for (const [table, rule] of wanted) {
    const found = await db.sql<{ result: string }[]>`
      select result from run_command_on_shards(${table}::text::regclass, ${rules("%1$s")})`;
    expect(found.map(({ result }) => JSON.stringify(JSON.parse(result)))).toEqual(Array(shards).fill(rule));
  }
  await submit(db, batchOf(await newContract(db), [[1, "2"]], { batchId: "b", secondsToFinalize: null }));
  for (const [statement, rule] of [
    ["update batch_transfers set points = points", "transfers are never changed"],
    ["delete from batch_transfers", "transfers are never changed"],
    ["update batches set digest = sha256('x')", "illegal change of batch b: PENDING to PENDING"],
    ["update accounts set sent = sent + 1", "accounts_available"],
  ] as const)
    await expect(db.sql.unsafe(statement), statement).rejects.toThrow(rule);
});

test("a table that cannot be distributed leaves all tables unchanged, and a retry succeeds", async () => {
  const db = await prepared();
  const [worker] = await workersOf(CITUS_URL);
  const there = urlAt(url, worker!);
  await withSql(there, (sql) => sql.unsafe("create table webhook_deliveries (id int)"));
  await expect(distributeTables(db)).rejects.toThrow("webhook_deliveries");
  expect([...(await placements(db))]).toEqual([]);
  await withSql(there, (sql) => sql.unsafe("drop table webhook_deliveries"));
  const { tables } = await distributeTables(db);
  expect(tables.every(({ seconds }) => seconds !== null)).toBe(true);
});

test("a role that may not change settings distributes the tables, and reports what an administrator must run", async () => {
  const admin = await makeDatabase(CITUS_URL, await workersOf(CITUS_URL), name).then(() => connect());
  const role = `${name}_role`;
  // Created in a database with Citus, so that Citus creates it on the workers too.
  await admin.sql.unsafe(
    `create role ${role} login; grant create on database ${name} to ${role}; grant create on schema public to ${role}`,
  );
  await admin.sql`alter system reset citus.recover_2pc_interval`;
  await admin.sql`select pg_reload_conf()`;
  try {
    const ownUrl = Object.assign(new URL(url), { username: role }).href;
    await migrateDatabase({ url: ownUrl, timeoutSeconds: 20 });
    const done = await distributeTables(connect(ownUrl));
    expect(done.settings).toEqual([]);
    expect(done.forAdministrator).toEqual([
      ...DATABASE_SETTINGS.map((setting) => databaseStatement(name, setting)),
      "alter system set citus.recover_2pc_interval = '5s'",
      "select pg_reload_conf()",
    ]);
    for (const statement of done.forAdministrator) await admin.sql.unsafe(statement);
    const again = await distributeTables(connect(ownUrl));
    expect(again.forAdministrator).toEqual([]);
  } finally {
    await admin.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  }
});
