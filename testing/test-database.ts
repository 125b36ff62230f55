import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, inject } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { pretendShards, TEMPLATE, urlAt, withSql } from "./citus/make-database";
import { type BuiltApp, type Options, startBuiltApp } from "./launch-app";

const POOL_MAX = 10;
/** Far more than a statement takes, also on a machine that is busy with something else. */
const TIMEOUT_SECONDS = 30;
const CLONE_ATTEMPTS = 20;

export type TestDatabase = Database & { url: string; drop(): Promise<void> };

interface TestDatabaseOptions {
  poolMax?: number;
  /** Maximum seconds of a statement. */
  timeoutSeconds?: number;
}

/** A new migrated database, cloned from the template. Drop it after the tests that use it. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await withSql(serverUrl, (sql) => clone(sql, name));
  const url = urlAt(serverUrl, { database: name });
  const db = createDatabase({
    url,
    poolMax: options.poolMax ?? POOL_MAX,
    timeoutSeconds: options.timeoutSeconds ?? TIMEOUT_SECONDS,
    pooler: "none",
  });
  if (process.env.TEST_SHARDS === "pretended") await pretendShards(db);
  const drop = async () => {
    await db.close();
    await withSql(serverUrl, (sql) => sql`drop database if exists ${sql(name)} with (force)`);
  };
  return { ...db, url, drop };
}

/** Made for all tests of a file or block. Only its hooks and tests can use it. */
function madeOnce<Made extends object>(make: () => Promise<Made>, end: (made: Made) => unknown): Made {
  const made = {} as Made;
  beforeAll(async () => {
    Object.assign(made, await make());
  });
  afterAll(() => end(made));
  return made;
}

export const useDatabase = (options?: TestDatabaseOptions): TestDatabase =>
  madeOnce(
    () => testDatabase(options),
    (db) => db.drop?.(),
  );

/** Postgres refuses to clone while another session, such as autovacuum, uses the template: 55006. */
async function clone(sql: postgres.Sql, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`create database ${sql(name)} template ${sql(TEMPLATE)}`;
      return;
    } catch (error) {
      const busy = error instanceof postgres.PostgresError && error.code === "55006";
      if (!busy || attempt === CLONE_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

export const useBuiltApp = (options: Options = {}): BuiltApp =>
  madeOnce(
    () => startBuiltApp(options),
    (app) => app.stop?.(),
  );

export interface MigrationsFolder {
  path: string;
  remove(): void;
}

/** A later version's migrations: ours, then made-up ones. @param later the SQL of each, in order */
export function laterMigrations(...later: string[]): MigrationsFolder {
  const folder = mkdtempSync(path.join(tmpdir(), "later-migrations-"));
  cpSync(path.join(process.cwd(), "db", "migrations"), folder, { recursive: true });
  const file = path.join(folder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: { when: number; tag: string }[] };
  for (const [index, sql] of later.entries()) {
    const tag = `9${String(index).padStart(3, "0")}_later`;
    journal.entries.push({ when: journal.entries.at(-1)!.when + 1, tag });
    writeFileSync(path.join(folder, `${tag}.sql`), sql);
  }
  writeFileSync(file, JSON.stringify(journal));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
