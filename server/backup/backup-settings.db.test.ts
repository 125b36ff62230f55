import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { useDatabase } from "@/testing/test-database";
import { useLedger } from "@/testing/use-ledger";
import { restoreBackup } from "./restore-backup";
import { writeBackup } from "./write-backup";

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
