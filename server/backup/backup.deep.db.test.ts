import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs, {
  createWriteStream,
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
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { migrateDatabase, migrationsUpTo } from "@/db/migrate";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { answerCron } from "@/server/host/answer-cron";
import { database } from "@/server/kernel/database";
import { indexRecipients } from "@/server/ledger/index-recipients";
import { restoreAndVerify } from "@/server/ops/service-commands";
import { pretendNoShards, pretendShards } from "@/testing/citus/make-database";
import { expectLedgerToBalance } from "@/testing/expectations";
import {
  balance,
  batchOf,
  finalize,
  LIMITS,
  submit,
  testContext,
  wallet,
  withoutTriggers,
} from "@/testing/factories";
import { forgetSingles, serveFrom } from "@/testing/rest-request";
import { laterMigrations, testDatabase, useDatabase } from "@/testing/test-database";
import { useLedger } from "@/testing/use-ledger";
import { columnsOf, tableHashes, unusedColumns, useEveryTable } from "@/testing/used-rows";
import { restoreBackup } from "./restore-backup";
import { BACKUP_FORMAT, streamBackup, writeBackup } from "./write-backup";

const used = useDatabase();
const dir = mkdtempSync(path.join(tmpdir(), "backup-test-"));
const usedFile = path.join(dir, "used.gz");
beforeAll(async () => {
  await useEveryTable(used);
  await writeBackup(used, usedFile);
});

/** By the upgrade. Backups of earlier versions have them. */
const DROPPED = ["batch_notes", "ledger_days", "saved_views"];
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
  await new Promise((resolve) => setTimeout(resolve, 5));
  await indexRecipients(source);
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

/** Tables whose rows a backup leaves out, as docs/backup.md says. */
const LEFT_OUT = ["rate_limits", "request_log", "staff_invitations", "staff_sessions"];

/** Hashes of all tables. */
const contentOf = async (db: Database) => {
  const hashes = await tableHashes(db);
  for (const table of LEFT_OUT) delete hashes[table];
  return hashes;
};

/** Everything that a restore may not change about the tables. */
const constraintsOf = async ({ sql }: Database) => [
  ...(await sql`
    select conrelid::regclass::text as table, conname, convalidated, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
];
const sequencesOf = async ({ sql }: Database) => [
  ...(await sql`select sequencename, last_value from pg_sequences
    where schemaname = 'public' and sequencename !~ '^request_log' order by 1`),
];

/** One call of the cron route, which does the work of every worker, on this database. */
async function runCron(on: { url: string }): Promise<unknown> {
  serveFrom(on);
  forgetSingles();
  const headers = { authorization: `Bearer ${process.env.CRON_SECRET}` };
  const reply = await answerCron(new Request("http://service.test/", { headers }), "request-1");
  await database().close();
  forgetSingles();
  return await reply.json();
}

const linesOf = (from: string) => gunzipSync(readFileSync(from)).toString().split("\n");
const lines = () => linesOf(file);
const stored = (bytes: Buffer) => {
  const name = path.join(dir, `damaged-${randomBytes(4).toString("hex")}.gz`);
  writeFileSync(name, bytes);
  return name;
};
const damaged = (text: string) => stored(gzipSync(text));
/** Without compression, so that what is changed in the bytes is changed in the text. */
const changed = (of: string, to: string) => {
  const bytes = gzipSync(lines().join("\n"), { level: 0 });
  const at = bytes.indexOf(of);
  if (at === -1 || of.length !== to.length) throw new Error(`${of} cannot be changed to ${to}`);
  bytes.write(to, at);
  return stored(bytes);
};
/** One whose checksum is wrong, and not read together with the last line. */
const wrongChecksum = () => {
  const chunkBytes = 65_536;
  const checksumBytes = 8;
  const padded = (by: number) =>
    gzipSync(
      lines()
        .join("\n")
        .replace('"takenAt":"', `"takenAt":"${" ".repeat(by)}`),
      { level: 0 },
    );
  // Beyond 64 KiB, which zlib stores in blocks, so that more text may be several bytes more.
  const by = chunkBytes - ((padded(0).length - checksumBytes) % chunkBytes);
  const bytes = [0, 5, 10, 15]
    .map((less) => padded(by - less))
    .find(({ length }) => length % chunkBytes === checksumBytes)!;
  bytes[bytes.length - checksumBytes]! ^= 1;
  return stored(bytes);
};

describe("a backup", () => {
  test("restores every row of every table but people's sessions and links, rate limits and the request log, in a used installation", async () => {
    expect(await unusedColumns(used)).toEqual([]);
    const target = await emptyDatabase();
    const restored = await restoreBackup(target, usedFile);
    const content = await contentOf(used);
    expect(await contentOf(target.db)).toEqual(content);
    expect(restored).toMatchObject({ migrated: 0, leftOut: [], tables: Object.keys(content).length });
    expect(await sequencesOf(target.db)).toEqual(await sequencesOf(used));
    expect(await constraintsOf(target.db)).toEqual(await constraintsOf(used));
    // Sessions and links may have been ended or used since.
    expect(new Set((await unusedColumns(target.db)).map((column) => column.split(".")[0]))).toEqual(
      new Set(LEFT_OUT),
    );
    await expectLedgerToBalance(target.db);
  });

  test("of a used installation is served once restored: the workers continue what was under way", async () => {
    const target = await emptyDatabase();
    await restoreBackup(target, usedFile);
    expect(await runCron(target)).toMatchObject({ batchesFinalized: 3, dueLeft: 0, failure: null });
    const states = await target.db.sql`select id, status from batches order by seq`;
    expect(states.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "settled FINALIZED",
      "on-hold PENDING",
      "cancelled CANCELLED",
      "claimed FINALIZED",
      "approved FINALIZED",
      "taken-back FINALIZED",
      "awaits PENDING",
    ]);
    // The snapshot is of its instant, before what was finalized now, and has the part that was stored of it.
    const [snapshot] = await target.db.sql`
      select status, holders::int, trim_scale(points)::text as points, trim_scale(left_out)::text as "leftOut", attempts
      from snapshots where id::text like '%82'`;
    expect(snapshot).toEqual({
      ...{ status: "TAKEN", holders: 2, points: "10.000000000001", leftOut: "116", attempts: 0 },
    });
    // The self-check has continued from the restored checkpoint.
    const [check] = await target.db.sql`select reach, findings from ledger_checks order by id desc limit 1`;
    expect(check).toEqual({ reach: "incremental", findings: [] });
    await expectLedgerToBalance(target.db);
  });

  test("restores into shards, and a backup of shards into a single Postgres", async () => {
    const shards = await emptyDatabase();
    await migrateDatabase(shards);
    await pretendShards(shards.db);
    try {
      await restoreBackup(shards, usedFile);
      expect(await contentOf(shards.db)).toEqual(await contentOf(used));
      const sharded = path.join(dir, "sharded.gz");
      await writeBackup(shards.db, sharded);
      const target = await emptyDatabase();
      await restoreBackup(target, sharded);
      expect(await contentOf(target.db)).toEqual(await contentOf(used));
      expect(await runCron(shards)).toMatchObject({ batchesFinalized: 3, dueLeft: 0, failure: null });
      await expectLedgerToBalance(shards.db);
    } finally {
      pretendNoShards();
    }
  });

  test("restores with its tables in any order, and with foreign keys of a later version that form a circle", async () => {
    const later = laterMigrations(
      "alter table alerts add column caused_by uuid references alerts(id);--> statement-breakpoint\n" +
        "alter table snapshots add column first_allocation uuid references allocations(id)",
    );
    try {
      const one = await emptyDatabase();
      await migrateDatabase({ ...one, migrationsFolder: later.path });
      await useEveryTable(one.db);
      await one.db.sql`update alerts set caused_by = id`;
      await withoutTriggers(
        one.db,
        "update snapshots set first_allocation = (select min(id::text)::uuid from allocations)",
      );
      const circle = path.join(dir, "circle.gz");
      await writeBackup(one.db, circle);
      const content = linesOf(circle);
      const starts = content.flatMap((line, at) => (line.startsWith('{"table"') ? [at] : []));
      const last = content.findIndex((line) => line.startsWith('{"end"'));
      const tables = starts.map((start, at) => content.slice(start, starts[at + 1] ?? last));
      const turned = [content[0]!, ...tables.toReversed().flat(), ...content.slice(last)].join("\n");
      for (const from of [circle, damaged(turned)]) {
        const target = await emptyDatabase();
        await restoreBackup({ ...target, migrationsFolder: later.path }, from);
        expect(await contentOf(target.db)).toEqual(await contentOf(one.db));
        expect(await constraintsOf(target.db)).toEqual(await constraintsOf(one.db));
      }
    } finally {
      later.remove();
    }
  });

  const journal = JSON.parse(readFileSync("db/migrations/meta/_journal.json", "utf8"));
  const times: string[] = journal.entries.map(({ when }: { when: number }) => String(when));
  test.each(times.map((_, at) => at + 1))(
    "of a version with %i migrations is restored as the upgrade leaves its database: with every row, and ready to serve",
    async (count) => {
      const folder = migrationsUpTo(times.slice(0, count))!;
      const one = await emptyDatabase();
      await migrateDatabase({ ...one, migrationsFolder: folder.path });
      folder.remove();
      await useEveryTable(one.db);
      const columns = (await columnsOf(one.db)).filter(({ table }) => !DROPPED.includes(table));
      const before = await tableHashes(one.db, columns);
      const older = path.join(dir, `of-${count}.gz`);
      await writeBackup(one.db, older);
      expect(await migrateDatabase(one)).toEqual({ applied: times.length - count });
      expect(await tableHashes(one.db, columns)).toEqual(before);
      const target = await emptyDatabase();
      await restoreBackup(target, older);
      expect(await contentOf(target.db)).toEqual(await contentOf(one.db));
      expect(await runCron(target)).toMatchObject({ batchesFinalized: 3, dueLeft: 0, failure: null });
      await expectLedgerToBalance(target.db);
    },
  );

  test("restores old rows that a later check, not validated yet, would refuse", async () => {
    const later = laterMigrations(
      "alter table recipient_labels add constraint label_short check (length(label) < 2) not valid",
    );
    try {
      const one = await emptyDatabase();
      await migrateDatabase(one);
      await useEveryTable(one.db);
      await migrateDatabase({ ...one, migrationsFolder: later.path });
      const older = path.join(dir, "older-rows.gz");
      await writeBackup(one.db, older);
      const target = await emptyDatabase();
      await restoreBackup({ ...target, migrationsFolder: later.path }, older);
      expect(await contentOf(target.db)).toEqual(await contentOf(one.db));
      expect(await constraintsOf(target.db)).toEqual(await constraintsOf(one.db));
    } finally {
      later.remove();
    }
  });

  test("restores without the tables that were added by hand, which it names, and has none of an extension's", async () => {
    const one = await emptyDatabase();
    await migrateDatabase(one);
    await useEveryTable(one.db);
    await one.db.sql`create table by_hand (id int)`;
    await one.db.sql`insert into by_hand values (1)`;
    await one.db.sql`create table of_extension (id int)`;
    await one.db.sql`insert into of_extension values (1)`;
    await one.db.sql`alter extension plpgsql add table of_extension`;
    const more = path.join(dir, "more.gz");
    await writeBackup(one.db, more);
    const target = await emptyDatabase();
    expect(await restoreBackup(target, more)).toMatchObject({ leftOut: ["by_hand"] });
    expect(await contentOf(target.db)).toEqual(await contentOf(used));
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

  test("two to one name at the same time are one whole backup and one refusal", async () => {
    const one = path.join(dir, "one.gz");
    const write = () => writeBackup(source, one).then(() => "whole", String);
    const ends = (await Promise.all([write(), write()])).sort();
    expect(ends).toEqual([expect.stringContaining("already exists. Choose another file name."), "whole"]);
    await restoreBackup(await emptyDatabase(), one);
  });
});

test("a restore whose ledger could not be verified says that every row is in, and what to do", async () => {
  const target = await emptyDatabase();
  const cutOff = Object.assign(new Error("cut off"), { code: "ECONNRESET" });
  expect(await restoreAndVerify(target, usedFile, () => Promise.reject(cutOff))).toMatchObject({
    text: expect.stringMatching(/^Restored \d+ rows into \d+ tables, .*Every row is in\. .*verify-ledger/),
    json: { ledger: null, migrated: 0 },
    exitCode: 1,
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

describe("a file that is read or written slower than the database's time limit", () => {
  const impatient = (url: string) =>
    createDatabase({ url, poolMax: 2, timeoutSeconds: 1, pooler: "none", statementSecondsMax: 60 });

  test("is written whole", async () => {
    const one = impatient(source.url);
    const slow = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => setTimeout(done, 40),
    });
    expect((await streamBackup(one, slow)).tables).toBeGreaterThan(30);
    await one.close();
  });

  test("is restored whole", async () => {
    const { url } = await emptyDatabase();
    const one = impatient(url);
    const [head, ...rest] = linesOf(usedFile);
    const pipe = path.join(dir, "pipe");
    execFileSync("mkfifo", [pipe]);
    const restored = restoreBackup({ db: one, url, timeoutSeconds: 1 }, pipe);
    const writer = createGzip();
    writer.pipe(createWriteStream(pipe));
    writer.write(`${head}\n`);
    writer.flush();
    // The tables are there before it waits for the first of them.
    await vi.waitFor(() => one.sql`select from audit_log`, 30_000);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    writer.end(rest.join("\n"));
    await restored;
    expect(await contentOf(one)).toEqual(await contentOf(used));
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
    ["whose checksum is wrong", wrongChecksum, /cut off or damaged/],
    [
      "in which the name of a table changed",
      () => changed('"audit_log"', '"audit_lag"'),
      /cut off or damaged/,
    ],
    [
      "in which a point type changed",
      () => changed("\tPHASE2_POINTS\t", "\tPHASE3_POINTS\t"),
      /cut off or damaged/,
    ],
    [
      "of two backups",
      () => stored(Buffer.concat([readFileSync(file), readFileSync(file)])),
      /cut off or damaged/,
    ],
    ["with null for its header", () => damaged("null\n"), /cut off or damaged/],
    ["without its migrations", () => damaged(`{"format":"${BACKUP_FORMAT}","migrations":[]}\n`), /damaged/],
    ["of another format", () => damaged('{"format":"another"}\n'), /not a backup that this version can read/],
    [
      "with a table without columns",
      () => damaged(lines().join("\n").replace('"columns"', '"rows"')),
      /cut off or damaged/,
    ],
    ["that is a folder", () => dir, /^Cannot read .*EISDIR/],
    [
      "with a row that Postgres rejects",
      () => damaged(lines().join("\n").replaceAll("\tPHASE2_POINTS\t", "\tPHASE3_POINTS\t")),
      /a row of accounts that cannot be stored \(SQLSTATE 22P02\)\. Nothing was restored\. Use another backup/,
    ],
    [
      "with a row that breaks a check",
      () => damaged(linesOf(usedFile).join("\n").replace("\t1\t2\tpayouts", "\t3\t2\tpayouts")),
      /a row of batch_uploads that cannot be stored \(batch_uploads_part\)\. Nothing was restored/,
    ],
    [
      "with a row that refers to none",
      () =>
        damaged(
          linesOf(usedFile)
            .join("\n")
            .replace(/^\S+90\t\S+80\t/m, (row) => row.replace(/80\t$/, "99\t")),
        ),
      /a row of allocations that cannot be stored \(allocations_snapshot_id_snapshots_id_fk: FOREIGN KEY \(snapshot_id\) REFERENCES snapshots\(id\).*\)\. Nothing was restored/,
    ],
    [
      "with a column added by hand",
      () => damaged(lines().join("\n").replace('"operator_address","issuance"', '"by_hand","issuance"')),
      /a column of contracts that this version's table does not have\. Nothing was restored/,
    ],
    [
      "of a version before the first release",
      () => damaged(`${JSON.stringify({ format: BACKUP_FORMAT, takenAt: "", migrations: ["1", "2"] })}\n`),
      /made by a version before the first release/,
    ],
  ])("a file %s is refused, and leaves no rows", async (_, make, words) => {
    const target = await emptyDatabase();
    await expect(restoreBackup(target, make())).rejects.toThrow(words);
    const { recipient_progress: one, ...tables } = await contentOf(target.db);
    expect(one?.rows ?? 0).toBeLessThan(2);
    expect(Object.entries(tables).filter(([, { rows }]) => rows > 0)).toEqual([]);
    // A retry with a complete file works.
    expect(await restoreBackup(target, file)).toMatchObject({ migrated: 0 });
  });

  test("never deletes a row that a waiting process wrote once it found the tables", async () => {
    const busy = laterMigrations("insert into alert_jobs (name, next_at) values ('look', now())");
    try {
      const one = await emptyDatabase();
      await migrateDatabase({ ...one, migrationsFolder: busy.path });
      await one.db.sql`delete from alert_jobs`;
      const quiet = path.join(dir, "quiet.gz");
      await writeBackup(one.db, quiet);
      const target = await emptyDatabase();
      await expect(restoreBackup({ ...target, migrationsFolder: busy.path }, quiet)).rejects.toThrow(
        "The database already contains rows (alert_jobs). Nothing was restored.",
      );
      expect(await target.db.sql`select name from alert_jobs`).toEqual([{ name: "look" }]);
    } finally {
      busy.remove();
    }
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
