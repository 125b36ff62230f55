import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { laterMigrations, type MigrationsFolder } from "@/testing/test-database";
import { createDatabase, type Database } from "./client";
import { migrateDatabase, migrationsUpTo, otherTables, schemaIsCurrent } from "./migrate";
import journal from "./migrations/meta/_journal.json";

const TIMEOUT_SECONDS = 5;

let admin: Database;
let db: Database;
let url: string;
let folder: MigrationsFolder | undefined;

const open = (to: string) =>
  createDatabase({ url: to, poolMax: 3, timeoutSeconds: TIMEOUT_SECONDS, pooler: "none" });

beforeEach(async () => {
  const server = inject("postgresUrl");
  const name = `empty_${randomBytes(6).toString("hex")}`;
  admin = open(server);
  await admin.sql`create database ${admin.sql(name)}`;
  url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  db = open(url);
});

afterEach(async () => {
  await db.close();
  await admin.sql`drop database ${admin.sql(new URL(url).pathname.slice(1))} with (force)`;
  await admin.close();
  folder?.remove();
  folder = undefined;
});

/** The migrations folder of a later version: the current migrations, followed by these. */
function later(...sql: string[]): string {
  folder = laterMigrations(...sql);
  return folder.path;
}

const migrate = (migrationsFolder?: string, tableLockTries?: number) =>
  migrateDatabase({
    url,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(migrationsFolder && { migrationsFolder }),
    ...(tableLockTries && { tableLockTries }),
  });

/** Resolves when a statement with this beginning waits for a lock. */
async function untilWaiting(beginning: string): Promise<void> {
  for (;;) {
    const waiting = await db.sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`${beginning}%`}`;
    if (waiting.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("three concurrent migrators apply the migrations once, and the schema is current afterwards", async () => {
  const migrationsFolder = later(
    "create table later (id int)",
    "alter table later add column at timestamptz",
  );
  const before = await schemaIsCurrent(db.sql, migrationsFolder);
  expect(before).toEqual({ current: false, expected: before.expected, applied: 0 });

  const applied = await Promise.all(
    [1, 2, 3].map(() => migrateDatabase({ url, timeoutSeconds: 20, migrationsFolder })),
  );

  expect(applied.map((each) => each.applied).sort()).toEqual([0, 0, before.expected]);
  expect(await schemaIsCurrent(db.sql, migrationsFolder)).toEqual({
    ...before,
    current: true,
    applied: before.expected,
  });
  const [rows] = await db.sql`select count(*)::int as count from drizzle.__drizzle_migrations`;
  expect(rows?.count).toBe(before.expected);
});

test("a schema is behind for a later version, and one with later migrations is current for this version", async () => {
  const { applied: ours } = await migrate();
  const migrationsFolder = later("create table later (id int)", "create table latest (id int)");
  expect(await schemaIsCurrent(db.sql, migrationsFolder)).toEqual({
    current: false,
    expected: ours + 2,
    applied: ours,
  });
  expect(await migrate(migrationsFolder)).toEqual({ applied: 2 });
  expect(await schemaIsCurrent(db.sql)).toEqual({ current: true, expected: ours, applied: ours });
  expect(await migrate()).toEqual({ applied: 0 });
});

const INDEX = "create index if not exists batches_by_count on batches (transfer_count)";

test("an invalid index refuses the migration, which names it", async () => {
  await migrate();
  await db.sql.unsafe(INDEX);
  await db.sql`update pg_index set indisvalid = false where indexrelid = 'batches_by_count'::regclass`;
  const migrationsFolder = later(INDEX);

  await expect(migrate(migrationsFolder)).rejects.toThrow(
    "The index batches_by_count is invalid. Nothing was changed. Drop the index, then migrate again.",
  );
  expect((await schemaIsCurrent(db.sql, migrationsFolder)).current).toBe(false);
});

test("a failed migration leaves nothing behind and releases the lock", async () => {
  await expect(migrate(later("create table half (id int); select 1 / 0"))).rejects.toThrow(
    /^A migration failed: division by zero\. Nothing was changed\./,
  );
  expect((await schemaIsCurrent(db.sql)).applied).toBe(0);
  const [left] = await db.sql`select count(*)::int as count from pg_tables where schemaname = 'public'`;
  expect(left?.count).toBe(0);
  const { expected } = await schemaIsCurrent(db.sql);
  expect(await migrate()).toEqual({ applied: expected });
});

test("a migration that finds its table locked lets other statements pass, and is applied once the lock is gone", async () => {
  await migrate();
  const migrationsFolder = later("alter table contracts add column later int");
  let migrating: Promise<{ applied: number }> | undefined;
  await db.sql.begin(async (reader) => {
    await reader`select 1 from contracts`;
    migrating = migrate(migrationsFolder);
    await untilWaiting("alter table contracts");
    // Queues behind the migration, which waits for the lock. The pool would not wait longer than TIMEOUT_SECONDS.
    await db.sql`select 1 from contracts`;
  });
  expect(await migrating).toEqual({ applied: 1 });
});

test("a table that stays locked stops the migration with a clear error, and nothing is changed", async () => {
  await migrate();
  const migrationsFolder = later(
    "create table half (id int);--> statement-breakpoint\nalter table contracts add column later int",
  );
  await db.sql.begin(async (reader) => {
    await reader`select 1 from contracts`;
    await expect(migrate(migrationsFolder, 1)).rejects.toThrow(
      "Another transaction kept a table locked (attempts: 1). Nothing was changed.",
    );
  });
  const [half] = await db.sql`select to_regclass('half') is null as absent`;
  expect(half?.absent).toBe(true);
});

test("a database of another program is named as such, and stays as it is", async () => {
  await db.sql`create table batches (mine int)`;
  await expect(migrate()).rejects.toThrow(
    /^The database holds other tables \(batches\): relation "batches" already exists\. Nothing was changed\. Use an empty database\.$/,
  );
  expect(await db.sql`select * from batches`).toEqual([]);
  expect(await otherTables(db.sql)).toEqual(["batches"]);
});

/** Migrates to the version before the migration of this name. */
async function migrateBefore(name: string): Promise<void> {
  const end = journal.entries.findIndex(({ tag }) => tag.endsWith(name));
  const earlier = migrationsUpTo(journal.entries.slice(0, end).map(({ when }) => String(when)))!;
  await migrate(earlier.path);
  earlier.remove();
}

test("an upgrade keeps the alerts about pending unusual batches in sight, and those alone", async () => {
  await migrateBefore("unusual-by-due");
  const odd = (level: string) => ({ total: { level }, recipients: { level: "unusual" }, share: null });
  const made = [
    ["pending", "PENDING", odd("alarming")],
    ["finalized", "FINALIZED", odd("alarming")],
    ["only-new-recipients", "PENDING", odd("expected")],
  ] as const;
  await db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const [id, status, findings] of made)
      await tx`
        with made as (
          insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest,
            submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
          select substring(sha256('c') for 20), ${id}, 'PHASE2_POINTS', ${status}::batch_status, 1, 1, 60, sha256('d'),
            'token:test', 'r', now(), now() + interval '1 hour', ended_at, ended_at
          from (select case when ${status}::text <> 'PENDING' then now() end as ended_at) as ended
          returning contract_address, seq
        )
        insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at)
        select contract_address, seq, now(), 'unusual', ${JSON.stringify(findings)}::text::jsonb, now() from made`;
  });
  await migrate();
  const due = await db.sql`
    select b.id from batch_reviews r join batches b on b.seq = r.batch_seq where r.due_at = b.finalize_at`;
  expect([...due]).toEqual([{ id: "pending" }]);
  const others = await db.sql`select 1 from batch_reviews where due_at is null`;
  expect(others.count).toBe(2);
  // A process of the earlier version stores a review without its due time. It must not be missed.
  await db.sql`insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at)
    select contract_address, 99, created_at, level, findings, reviewed_at from batch_reviews limit 1`;
  const late = await db.sql`select 1 from batch_reviews where batch_seq = 99 and due_at >= now()`;
  expect(late.count).toBe(1);
});

test("an upgrade makes uploaded files payouts, whose parts on hold since their submit wait for the release; the version before can still release one", async () => {
  await migrateBefore("payouts");
  const upload = "0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d";
  await db.sql`
    with made as (
      insert into batches (contract_address, id, point_type, points, transfer_count, wait_seconds, digest, submitted_by,
        submit_request_id, created_at, finalize_at, held_at, held_by, hold_reason)
      select substring(sha256('c') for 20), id, 'PHASE2_POINTS', 1, 1, 60, sha256('d'), 'staff:a@example.com', 'r',
        now(), now(), now() + later, 'staff:a@example.com', 'why'
      from (values ('payout-7.001', interval '0'), ('payout-7.002', interval '1 second'),
        ('.001', interval '0'), ('a-b...004', interval '0'), ('..005', interval '0'),
        ('...006', interval '0'), ('....007', interval '0')) as given (id, later)
      returning contract_address, seq
    )
    insert into batch_uploads (contract_address, batch_seq, upload_id, part, part_count, file_name)
    select contract_address, seq, ${upload}, row_number() over (order by seq), 7, 'a.csv' from made`;
  await migrate();
  const payouts = await db.sql`
    select p.payout_id as payout, p.part, b.held_for_payout as waits
    from payout_parts p join batches b on b.seq = p.batch_seq order by p.part`;
  expect([...payouts]).toEqual([
    { payout: "payout-7", part: 1, waits: true },
    { payout: "payout-7", part: 2, waits: false },
    { payout: upload, part: 3, waits: true },
    { payout: "a-b..", part: 4, waits: true },
    { payout: upload, part: 5, waits: true },
    { payout: upload, part: 6, waits: true },
    { payout: "...", part: 7, waits: true },
  ]);
  await db.sql`update batches set held_at = null, held_by = null, hold_reason = null where id = 'payout-7.001'`;
  const waiting = await db.sql`select 1 from batches where held_for_payout`;
  expect(waiting.count).toBe(5);
});
