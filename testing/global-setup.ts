import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { TestProject } from "vitest/node";
import { isAlive } from "@/db/embedded/processes";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { TEMPLATE, urlAt, withSql } from "./citus/make-database";

const PREFIX = "ptb-test-";
const FOLDERS = [...new Set([tmpdir(), "/dev/shm"])].filter((folder) => existsSync(folder));
/** Far more than the databases of one run take. */
const BYTES_MIN = 2 ** 31;

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One Postgres for all database tests, with a migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const dataDir = mkdtempSync(path.join(folderOfCluster(), `${PREFIX}${process.pid}-`));
  const server = await startTestServer(dataDir);
  const teardown = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  await makeTemplate(server.url).catch(async (error: unknown) => {
    await teardown();
    throw error;
  });
  project.provide("postgresUrl", server.url);
  return teardown;
}

/** In memory if there is room, where cloning and dropping a database takes a quarter of the CPU. */
function folderOfCluster(): string {
  const { bavail, bsize } = statfsSync(FOLDERS.at(-1)!);
  return bavail * bsize > BYTES_MIN ? FOLDERS.at(-1)! : tmpdir();
}

/** What a database may be set to, each other than the service asks for, so that tests show that it asks. */
const HOSTILE_SETTINGS = {
  array_nulls: "off",
  bytea_output: "escape",
  datestyle: "SQL, DMY",
  default_transaction_isolation: "serializable",
  extra_float_digits: "-15",
  intervalstyle: "sql_standard",
  quote_all_identifiers: "on",
  search_path: "pg_catalog",
  standard_conforming_strings: "off",
  timezone: "Asia/Kathmandu",
  transform_null_equals: "on",
};

function startTestServer(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir,
    asSuperuser: true,
    // Nothing here outlives the tests.
    extraSettings: {
      ...HOSTILE_SETTINGS,
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_wal_size: "256MB",
      max_connections: "300",
      max_prepared_transactions: "10",
    },
  });
}

/** Stops and deletes what killed test runs left; the folder's name contains the process id. */
async function sweep(): Promise<void> {
  const all = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  for (const dataDir of all.filter((each) => path.basename(each).startsWith(PREFIX))) {
    const pid = Number(path.basename(dataDir).slice(PREFIX.length).split("-")[0]);
    if (!Number.isInteger(pid) || isAlive(pid) || statSync(dataDir).uid !== process.getuid?.()) continue;
    // A run killed while deleting its folder left no cluster and no server.
    if (existsSync(path.join(dataDir, "postgres", "PG_VERSION")))
      await startTestServer(dataDir).then((server) => server.stop());
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function makeTemplate(url: string): Promise<void> {
  await withSql(url, (sql) => sql`create database ${sql(TEMPLATE)}`);
  await withSql(urlAt(url, { database: TEMPLATE }), (sql) =>
    migrate(drizzle(sql), { migrationsFolder: path.resolve("db/migrations") }),
  );
}
