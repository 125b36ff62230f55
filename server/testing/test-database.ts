import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { TEMPLATE } from "./global-setup";

const POOL_MAX = 10;
const TIMEOUT_SECONDS = 10;
const CLONE_ATTEMPTS = 20;

export type TestDatabase = Database & { url: string; drop(): Promise<void> };

/** A database of its own with all migrations, cloned from the template. Drop it after the tests that use it. */
export async function testDatabase(options: { poolMax?: number } = {}): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await withServer(serverUrl, (sql) => clone(sql, name));
  const poolerUrl = inject("poolerUrl");
  const url = new URL(poolerUrl ?? serverUrl);
  url.pathname = `/${name}`;
  const db = createDatabase({
    url: url.href,
    poolMax: options.poolMax ?? POOL_MAX,
    timeoutSeconds: TIMEOUT_SECONDS,
    pooler: poolerUrl ? "transaction" : "none",
  });
  const drop = async () => {
    await db.close();
    await withServer(serverUrl, (sql) => sql`drop database if exists ${sql(name)} with (force)`);
  };
  return { ...db, url: url.href, drop };
}

/** Postgres refuses a clone while another session looks at the template (autovacuum does): 55006. */
async function clone(sql: postgres.Sql, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`create database ${sql(name)} template ${sql(TEMPLATE)}`;
      return;
    } catch (fault) {
      const busy = fault instanceof postgres.PostgresError && fault.code === "55006";
      if (!busy || attempt === CLONE_ATTEMPTS) throw fault;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function withServer<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}
