import { randomBytes } from "node:crypto";
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { expectLedgerToBalance } from "@/testing/expectations";
import { balance, batchOf, finalize, LIMITS, submit, testContext, wallet } from "@/testing/factories";
import { laterMigrations, testDatabase } from "@/testing/test-database";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import { addNote } from "../batches/change/notes";
import { reverseBatch } from "../batches/reversal/reverse-batch";
import { indexRecipients } from "../recipients/index-recipients";
import { restoreBackup } from "./restore-backup";
import { BACKUP_FORMAT, streamBackup, writeBackup } from "./write-backup";

const dir = mkdtempSync(path.join(tmpdir(), "backup-test-"));
const file = path.join(dir, "backup.gz");
const { db: source, context, useContract } = useLedger();
const contract = useContract();
/** Takes back one row of the batch `settled`. */
const takeBack = (db: Database, to: number, reversalId: string, secondsToFinalize: number) => {
  const toAddresses = [wallet(to)];
  const input = { contractAddress: contract, batchId: "settled", reversalId, toAddresses, secondsToFinalize };
  return reverseBatch(testContext(db), LIMITS, input);
};
beforeAll(async () => {
  const rows = [
    [1, "10.5"],
    [2, "0.000000000001".replace(/0*1$/, "1")],
  ] as const;
  await submit(source, batchOf(contract, rows, { batchId: "settled" }));
  await finalize(source);
  await takeBack(source, 2, "taken-back", 0);
  await finalize(source);
  await takeBack(source, 1, "taking-back", 3600);
  await submit(source, batchOf(contract, [[1, "7"]], { batchId: "waiting", secondsToFinalize: 3600 }));
  await submit(source, batchOf(contract, [[1, "7"]], { batchId: "given-back", secondsToFinalize: 3600 }));
  await cancelBatch(context(), { contractAddress: contract, batchId: "given-back" });
  const correction = batchOf(contract, [[1, "8"]], { batchId: "given-back-2", secondsToFinalize: 3600 });
  await submit(source, { ...correction, corrects: "given-back" });
  await addNote(context("staff:a@example.com"), {
    contractAddress: contract,
    batchId: "given-back",
    text: "Two\nlines",
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await indexRecipients(source);
  // Everything COPY must escape: tab, newline, backslash, the end marker, and null versus empty.
  await source.sql`insert into audit_log (actor, action, target, detail, request_id)
    values ('a	b', ${"c\nd\\.\n\\."}, '', '{"x":"\\u00e4"}', null)`;
  await source.sql`
    with person as (insert into staff (id, email, role) values (gen_random_uuid(), 'a@example.com', 'admin') returning id)
    insert into staff_sessions (id, staff_id, epoch, device) select gen_random_uuid(), id, 0, 'Firefox' from person`;
  await source.sql`
    insert into staff_invitations (token_hash, staff_id, expires_at)
    select sha256('link'), id, now() + interval '1 day' from staff`;
  await source.sql`
    insert into request_log (contract_address, created_at, operation, status, request_id, caller, client_network)
    values (${Buffer.alloc(20, 1)}, now(), 'PUT /r', 400, 'r', 'token:t', 'unknown')`;
  await writeBackup(source, file);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const emptied: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const drop of emptied.splice(0)) await drop();
});

/** A database with no tables. */
async function emptyDatabase(): Promise<{ db: Database; url: string; timeoutSeconds: number }> {
  const name = `restore_${randomBytes(6).toString("hex")}`;
  const admin = postgres(inject("postgresUrl"), { max: 1, onnotice: () => undefined });
  await admin`create database ${admin(name)} template template0`;
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  const db = createDatabase({ url: url.href, poolMax: 2, timeoutSeconds: 10, pooler: "none" });
  emptied.push(async () => {
    await db.close();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  return { db, url: url.href, timeoutSeconds: 10 };
}

const contentOf = async ({ sql }: Database) => {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace
      and relname not in ('staff_sessions', 'staff_invitations', 'request_log') order by 1`;
  const rows = [];
  for (const { name } of tables)
    rows.push([
      name,
      (await sql.unsafe(`select to_jsonb(t)::text as row from public.${name} t order by 1`)).map(
        (r) => r.row,
      ),
    ]);
  return rows;
};

const lines = () => gunzipSync(readFileSync(file)).toString().split("\n");
const damaged = (text: string) => {
  const name = path.join(dir, `damaged-${randomBytes(4).toString("hex")}.gz`);
  writeFileSync(name, gzipSync(text));
  return name;
};

describe("a backup", () => {
  test("restores every row of every table but people's sessions and links and the request log, and the ledger balances", async () => {
    const target = await emptyDatabase();
    const restored = await restoreBackup(target, file);
    expect(await contentOf(target.db)).toEqual(await contentOf(source));
    expect(restored).toMatchObject({ migrated: 0, tables: (await contentOf(source)).length });
    await expectLedgerToBalance(target.db);
    expect(await balance(target.db, wallet(1))).toEqual(await balance(source, wallet(1)));
    // None of the sessions and links, which may have been ended or used since.
    const [row] = await target.db.sql`
      select (select count(*)::int from staff) as staff, (select count(*)::int from staff_sessions) as sessions,
        (select count(*)::int from staff_invitations) as links, (select count(*)::int from request_log) as requests`;
    expect(row).toEqual({ staff: 1, sessions: 0, links: 0, requests: 0 });
  });

  test("restores from a single Postgres into existing tables, including distributed ones", async () => {
    const one = await emptyDatabase();
    await restoreBackup(one, file);
    const again = path.join(dir, "again.gz");
    await writeBackup(one.db, again);
    const target = await testDatabase();
    try {
      const restored = await restoreBackup({ db: target, url: target.url, timeoutSeconds: 10 }, again);
      expect(restored).toMatchObject({ migrated: 0 });
      expect(await contentOf(target)).toEqual(await contentOf(source));
      await submit(target, batchOf(contract, [[5, "3"]]));
      expect(await finalize(target)).toMatchObject({ batchesFinalized: 1, failure: null });
      // Fails if the sequence repeats ids that are already in use.
      await target.sql`insert into audit_log (actor, action, target) values ('ops', 'a', 'b')`;
      await expectLedgerToBalance(target);
    } finally {
      await target.drop();
    }
  });

  test("is one snapshot: a batch submitted during the backup is in it completely or not at all", async () => {
    const busy = path.join(dir, "busy.gz");
    let stopped = false;
    const work = (async () => {
      while (!stopped) {
        const rows = [
          [9, "1"],
          [8, "2"],
        ] as const;
        await submit(source, batchOf(contract, rows));
        await finalize(source);
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await writeBackup(source, busy);
    stopped = true;
    await work;
    const target = await emptyDatabase();
    await restoreBackup(target, busy);
    await expectLedgerToBalance(target.db);
  });

  test("to a stream whose reader ends fails in one line", async () => {
    const reader = new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" })),
    });
    await expect(streamBackup(source, reader)).rejects.toThrow(
      "Cannot write standard output: its reader has ended (EPIPE).",
    );
  });

  test("is readable only by its owner, and overwrites no file", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file);
    await expect(writeBackup(source, file)).rejects.toThrow("already exists");
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("a backup that cannot be written", () => {
  const folder = path.join(dir, "unwritable");
  const draftsIn = (where: string) => readdirSync(where).filter((name) => name.endsWith(".draft"));
  beforeAll(async () => {
    mkdirSync(folder);
    // More than the buffers on the way hold, and it does not compress.
    await source.sql`
      insert into audit_log (actor, action, target, detail)
      select 'ops', 'a', 'b', jsonb_build_object('x', (select string_agg(sha512((i * 100 + j)::text::bytea)::text, '') from generate_series(1, 100) j))
      from generate_series(1, 200) i`;
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  test("to a full disk fails in one line, leaves no draft, and its connection works on", async () => {
    const { createWriteStream } = fs;
    vi.spyOn(fs, "createWriteStream").mockImplementation((draft, options) => {
      writeFileSync(draft, "");
      return createWriteStream("/dev/full", { ...(options as object), flags: "w" });
    });
    syncBuiltinESMExports();
    const one = createDatabase({ url: source.url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
    await expect(writeBackup(one, path.join(folder, "full.gz"))).rejects.toThrow(
      /^Cannot write .*full\.gz: the disk is full \(ENOSPC\)\.$/,
    );
    expect(draftsIn(folder)).toEqual([]);
    expect(await one.sql`select 1 as one`).toEqual([{ one: 1 }]);
    await one.close();
  });
});

describe("restoring", () => {
  test("into a database that has rows is refused, and changes nothing", async () => {
    const before = await contentOf(source);
    await expect(restoreBackup({ db: source, url: source.url, timeoutSeconds: 10 }, file)).rejects.toThrow(
      "The database already contains rows",
    );
    expect(await contentOf(source)).toEqual(before);
  });

  test.each([
    ["cut off in the middle", () => damaged(lines().slice(0, 30).join("\n")), /cut off or damaged/],
    [
      "with a row that Postgres rejects",
      () => damaged(lines().join("\n").replaceAll("\tPHASE2_POINTS\t", "\tPHASE3_POINTS\t")),
      /Postgres rejected a row of accounts\. Nothing was restored/,
    ],
    [
      "of a version before the first release",
      () => damaged(`${JSON.stringify({ format: BACKUP_FORMAT, takenAt: "", migrations: ["1", "2"] })}\n`),
      /made by a version before the first release/,
    ],
  ])("a file %s is refused, and leaves no rows", async (_, make, words) => {
    const target = await emptyDatabase();
    await expect(restoreBackup(target, make())).rejects.toThrow(words);
    const left = (await contentOf(target.db)).filter(
      ([name, rows]) => name !== "recipient_progress" && rows!.length > 0,
    );
    expect(left).toEqual([]);
    // A retry with a complete file works.
    expect(await restoreBackup(target, file)).toMatchObject({ migrated: 0 });
  });

  describe("in a version with a later migration", () => {
    const later = laterMigrations(
      "alter table batches add column later int not null default 7;--> statement-breakpoint\ncreate table later (id int)",
    );
    afterAll(() => later.remove());

    test("a backup of this version applies the later migration to the restored rows", async () => {
      const target = await emptyDatabase();
      expect(await restoreBackup({ ...target, migrationsFolder: later.path }, file)).toMatchObject({
        migrated: 1,
      });
      expect(await target.db.sql`select distinct later from batches`).toMatchObject([{ later: 7 }]);
      expect(await balance(target.db, wallet(1))).toEqual(await balance(source, wallet(1)));
      await expectLedgerToBalance(target.db);
    });

    test("into tables that already have the migration is refused, and this version refuses that database's backup", async () => {
      const { db, ...rest } = await emptyDatabase();
      await migrateDatabase({ ...rest, migrationsFolder: later.path });
      await expect(restoreBackup({ db, ...rest, migrationsFolder: later.path }, file)).rejects.toThrow(
        "The database has the tables of another version",
      );
      const newer = path.join(dir, "newer.gz");
      await writeBackup(db, newer);
      await expect(restoreBackup(await emptyDatabase(), newer)).rejects.toThrow(/newer version/);
    });
  });
});
