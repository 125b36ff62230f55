import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDatabase } from "@/db/client";
import { checkLedger } from "@/server/ledger/run-check";
import { CHECKS } from "@/server/operations/self-check";
import { failureLine } from "@/server/ops/command";
import { testDatabase, useDatabase } from "@/testing/test-database";
import { useLedger } from "@/testing/use-ledger";
import { restoreBackup } from "./restore-backup";
import { streamBackup, writeBackup } from "./write-backup";

const dir = mkdtempSync(path.join(tmpdir(), "backup-settings-"));
afterAll(() => rmSync(dir, { recursive: true }));
const { db, useContract, submit } = useLedger();
const contract = useContract();
const target = useDatabase();

const rowsOf = (file: string) => gunzipSync(readFileSync(file)).toString().split("\n").slice(1);
const files = { direct: path.join(dir, "direct.gz"), pooled: path.join(dir, "pooled.gz") };

beforeAll(async () => {
  await submit(contract, [[1, "1.5"]], { batchId: "kept" });
  await writeBackup(db, files.direct);
});

test("a backup through a pooler, which leaves the database's own settings, is the same", async () => {
  const pooled = createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 10, pooler: "transaction" });
  await writeBackup(pooled, files.pooled);
  await pooled.close();
  expect(rowsOf(files.pooled)).toEqual(rowsOf(files.direct));
});

test("a backup whose dates could mean two days is refused, and one with ISO dates is restored", async () => {
  const restore = (file: string) => restoreBackup({ db: target, url: target.url, timeoutSeconds: 10 }, file);
  const text = gunzipSync(readFileSync(files.direct)).toString();
  const ambiguous = path.join(dir, "ambiguous.gz");
  const day = text.replaceAll(/\t\d{4}-\d\d-\d\d /g, "\t05/12/2026 ");
  expect(day).not.toBe(text);
  writeFileSync(ambiguous, gzipSync(day));
  await expect(restore(ambiguous)).rejects.toThrow("Nothing was restored.");
  await restore(files.direct);
  const batches = await target.sql<{ at: string }[]>`select created_at::text as at from batches`;
  expect(batches).toEqual(await db.sql`select created_at::text as at from batches`);
});

test("by a role from whom row-level security hides rows, nothing is backed up or checked", async () => {
  await db.sql.unsafe("create role reader login password 'p' in role pg_read_all_data");
  const url = Object.assign(new URL(db.url), { username: "reader", password: "p" }).href;
  const reader = createDatabase({ url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  const file = path.join(dir, "hidden.gz");
  try {
    await writeBackup(reader, file);
    rmSync(file);
    await db.sql`alter table batches enable row level security`;
    for (const refused of [() => writeBackup(reader, file), () => checkLedger(reader, CHECKS)])
      expect(await refused().catch(failureLine)).toBe(
        "Row-level security hides rows from this role. Connect as the tables' owner, or run " +
          "`alter role … bypassrls` as a superuser.",
      );
    expect(existsSync(file)).toBe(false);
    await writeBackup(db, file);
  } finally {
    await db.sql`alter table batches disable row level security`;
    await reader.close();
    await db.sql`drop role reader`;
  }
});

test.each(["contracts", "audit_log", "recipient_progress"])(
  "a backup that lacks the rows of %s, as row-level security once made it, is refused",
  async (table) => {
    const text = gunzipSync(readFileSync(files.direct)).toString();
    const [block = "", rows = ""] =
      new RegExp(`{"table":"${table}".*\\n([^]*?)\\\\\\.\\n{"rows":\\d+}\\n`).exec(text) ?? [];
    const count = rows.split("\n").length - 1;
    expect(count).toBeGreaterThan(0);
    const whole = Number(/"rows":(\d+),"sequences"/.exec(text)![1]);
    const lacking = text
      .replace(block, () => block.replace(rows, "").replace(`{"rows":${count}}`, '{"rows":0}'))
      .replace(`"rows":${whole},"sequences"`, `"rows":${whole - count},"sequences"`);
    const file = path.join(dir, `${table}.gz`);
    writeFileSync(file, gzipSync(lacking));
    const empty = await testDatabase();
    const restored = restoreBackup({ db: empty, url: empty.url, timeoutSeconds: 10 }, file);
    await expect(restored).rejects.toThrow(`lacks rows of ${table}`);
    await empty.drop();
  },
);

test("a backup outlives the time that a role gives a transaction", async () => {
  await db.sql.unsafe("create role hasty login superuser password 'p'");
  await db.sql.unsafe("alter role hasty set transaction_timeout = 500");
  const url = Object.assign(new URL(db.url), { username: "hasty", password: "p" }).href;
  const hasty = createDatabase({ url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  const isOlder = async () => {
    const older = await db.sql`
      select 1 from pg_stat_activity where datname = current_database() and usename = 'hasty'
        and xact_start < clock_timestamp() - interval '1 s'`;
    return older.length > 0;
  };
  const slow = new Writable({
    write: (_chunk, _encoding, done) =>
      void vi.waitUntil(isOlder, { timeout: 20_000 }).then(() => done(), done),
  });
  try {
    expect((await streamBackup(hasty, slow)).rows).toBeGreaterThan(0);
  } finally {
    await hasty.close();
    await db.sql`drop role hasty`;
  }
});
