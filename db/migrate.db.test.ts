import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createDatabase, type Database } from "./client";
import { dumpSchema } from "./dump-schema";
import { migrateDatabase, schemaIsCurrent } from "./migrate";

const MIGRATIONS = path.join(process.cwd(), "db", "migrations");
const TIMEOUT_SECONDS = 5;

let admin: Database;
let db: Database;
let url: string;
let folder: string;

const open = (to: string) =>
  createDatabase({ url: to, poolMax: 3, timeoutSeconds: TIMEOUT_SECONDS, pooler: "none" });

beforeEach(async () => {
  const server = inject("postgresUrl");
  const name = `empty_${randomBytes(6).toString("hex")}`;
  admin = open(server);
  await admin.sql`create database ${admin.sql(name)}`;
  url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  db = open(url);
  folder = mkdtempSync(path.join(tmpdir(), "ptb-migrations-"));
});

afterEach(async () => {
  await db.close();
  await admin.sql`drop database ${admin.sql(new URL(url).pathname.slice(1))} with (force)`;
  await admin.close();
  rmSync(folder, { recursive: true });
});

/** The first migrations of ours, and one of the test's own after them. */
async function folderWith(count: number, extraSql?: string): Promise<string> {
  await cp(MIGRATIONS, folder, { recursive: true });
  const file = path.join(folder, "meta", "_journal.json");
  const { entries } = JSON.parse(await readFile(file, "utf8")) as {
    entries: { when: number; tag: string }[];
  };
  const kept = entries.slice(0, count);
  if (extraSql !== undefined) {
    kept.push({ when: (kept.at(-1)?.when ?? 0) + 1, tag: "9999_extra" });
    await writeFile(path.join(folder, "9999_extra.sql"), extraSql);
  }
  await writeFile(file, JSON.stringify({ entries: kept }));
  return folder;
}

/** Resolves when a statement that begins so waits for a lock. */
async function untilWaiting(beginning: string): Promise<void> {
  for (;;) {
    const waiting = await db.sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`${beginning}%`}`;
    if (waiting.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("three migrators at once apply one set, and the schema is current afterwards", async () => {
  const before = await schemaIsCurrent(db.sql);
  expect(before).toEqual({ current: false, expected: before.expected, applied: 0 });

  const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase({ url, timeoutSeconds: 20 })));

  expect(applied.map((each) => each.applied).sort()).toEqual([0, 0, before.expected]);
  expect(await schemaIsCurrent(db.sql)).toEqual({ ...before, current: true, applied: before.expected });
  const [rows] = await db.sql`select count(*)::int as count from drizzle.__drizzle_migrations`;
  expect(rows?.count).toBe(before.expected);
});

test("a schema that lacks the last migration is behind, one with later migrations is current", async () => {
  const { expected } = await schemaIsCurrent(db.sql);
  await migrateDatabase({
    url,
    timeoutSeconds: TIMEOUT_SECONDS,
    migrationsFolder: await folderWith(expected - 1),
  });
  expect(await schemaIsCurrent(db.sql)).toEqual({ current: false, expected, applied: expected - 1 });

  const migrationsFolder = await folderWith(expected, "create table later (id int)");
  expect(await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS, migrationsFolder })).toEqual({
    applied: 2,
  });
  expect((await schemaIsCurrent(db.sql)).current).toBe(true);
});

test("an index built by hand before the upgrade is the one that the migration finds", async () => {
  await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS, migrationsFolder: await folderWith(4) });
  await db.sql.unsafe(
    "create index concurrently if not exists batches_by_digest on batches using hash (digest)",
  );
  const oidOf = async () =>
    (await db.sql`select 'batches_by_digest'::regclass::oid as oid`)[0]?.oid as number;
  const byHand = await oidOf();

  const { expected } = await schemaIsCurrent(db.sql);
  expect(await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS })).toEqual({ applied: expected - 4 });
  expect(await oidOf()).toBe(byHand);
});

test("an index whose building by hand was broken off refuses the migration, by name", async () => {
  await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS, migrationsFolder: await folderWith(4) });
  await db.sql.unsafe("create index batches_by_digest on batches using hash (digest)");
  await db.sql`update pg_index set indisvalid = false where indexrelid = 'batches_by_digest'::regclass`;

  await expect(migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS })).rejects.toThrow(
    "The index batches_by_digest was not built to its end; nothing was changed. Drop it, and migrate again.",
  );
  expect((await schemaIsCurrent(db.sql)).applied).toBe(4);
});

test("a database migrated with another text of the same migrations is current", async () => {
  const { expected } = await schemaIsCurrent(db.sql);
  const migrationsFolder = await folderWith(expected);
  const file = path.join(migrationsFolder, "0004_digest-index.sql");
  await writeFile(file, (await readFile(file, "utf8")).replace(/ IF NOT EXISTS/i, ""));
  await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS, migrationsFolder });

  expect((await schemaIsCurrent(db.sql)).current).toBe(true);
  expect(await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS })).toEqual({ applied: 0 });
});

test("a migration that fails leaves nothing behind, and the lock is free again", async () => {
  const { expected } = await schemaIsCurrent(db.sql);
  const migrationsFolder = await folderWith(expected, "create table half (id int); select 1 / 0");
  await expect(migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS, migrationsFolder })).rejects.toThrow();
  expect((await schemaIsCurrent(db.sql)).applied).toBe(0);
  const [left] = await db.sql`select count(*)::int as count from pg_tables where schemaname = 'public'`;
  expect(left?.count).toBe(0);
  expect(await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS })).toEqual({ applied: expected });
});

test("the wait for another migrator ends", async () => {
  await db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7262541903)`;
    await expect(migrateDatabase({ url, timeoutSeconds: 1 })).rejects.toMatchObject({ code: "55P03" });
  });
});

test("a migration that finds its table locked lets others pass, and is applied when the lock is gone", async () => {
  const { expected } = await schemaIsCurrent(db.sql);
  await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS });
  const migrationsFolder = await folderWith(expected, "alter table contracts add column later int");
  let migrating: Promise<{ applied: number }> | undefined;
  await db.sql.begin(async (reader) => {
    await reader`select 1 from contracts`;
    migrating = migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS, migrationsFolder });
    await untilWaiting("alter table contracts");
    // Queued behind the migration's wait for its lock; the pool would refuse to wait longer than TIMEOUT_SECONDS.
    await db.sql`select 1 from contracts`;
  });
  expect(await migrating).toEqual({ applied: 1 });
});

test("a table that stays locked ends the migration with words that say so, and nothing changed", async () => {
  const { expected } = await schemaIsCurrent(db.sql);
  await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS });
  const migrationsFolder = await folderWith(
    expected,
    "create table half (id int);--> statement-breakpoint\nalter table contracts add column later int",
  );
  await db.sql.begin(async (reader) => {
    await reader`select 1 from contracts`;
    await expect(
      migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS, migrationsFolder, tableLockTries: 1 }),
    ).rejects.toThrow("A table stayed locked by another transaction (tries: 1); nothing was changed.");
  });
  const [half] = await db.sql`select to_regclass('half') is null as absent`;
  expect(half?.absent).toBe(true);
});

test("the dump is the same for the same schema and shows a change of it", async () => {
  await migrateDatabase({ url, timeoutSeconds: TIMEOUT_SECONDS });
  const dump = await dumpSchema(db.sql);
  expect(await dumpSchema(db.sql)).toBe(dump);
  expect(dump).toContain("create table batches (");
  expect(dump).toContain("refuse_batch_change");
  let last = dump;
  for (const change of [
    "alter table accounts alter earned drop not null",
    "alter table accounts alter earned set default 1",
    "alter table accounts drop constraint accounts_available",
    "alter table accounts set (fillfactor = 51)",
    "drop index audit_log_by_actor",
    "alter type point_type add value 'OTHER'",
  ]) {
    await db.sql.unsafe(change);
    const changed = await dumpSchema(db.sql);
    expect(changed, change).not.toBe(last);
    last = changed;
  }
});
