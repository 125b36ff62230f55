import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/db/embedded";
import { freePort } from "@/db/embedded-cluster";
import { isAlive, serverUser } from "@/db/embedded-programs";
import { TEMPLATE, urlAt, withSql } from "./citus/make-database";

const PREFIX = "ptb-test-";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    /** The same server through a transaction-mode pooler, if DATABASE_POOLER is set to it. */
    poolerUrl: string | null;
  }
}

/** One Postgres for all database tests, with a migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const dataDir = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  const server = await startTestServer(dataDir);
  let pooler: Awaited<ReturnType<typeof startPgBouncer>> | null = null;
  const teardown = async () => {
    pooler?.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.url);
    if (process.env.DATABASE_POOLER === "transaction") pooler = await startPgBouncer(server.url);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("postgresUrl", server.url);
  project.provide("poolerUrl", pooler?.url ?? null);
  return teardown;
}

function startTestServer(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir,
    asSuperuser: true,
    // Nothing here outlives the tests. Without fsync a clone takes 30 ms.
    extraSettings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "300",
    },
  });
}

/** Stops and deletes what killed test runs left; the folder's name contains the process id. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split("-")[0]);
    const dataDir = path.join(tmpdir(), name);
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

const START_MS_MAX = 10_000;

/** Starts PgBouncer with the shipped `deploy/pgbouncer.ini`, except ports and paths. @returns the same URL through it */
export async function startPgBouncer(serverUrl: string): Promise<{ url: string; stop(): void }> {
  const target = new URL(serverUrl);
  const through = new URL(serverUrl);
  through.port = String(await freePort());
  const dir = mkdtempSync(path.join(tmpdir(), "ptb-pooler-"));
  // It refuses to run as root, and its user must be able to read its files.
  chmodSync(dir, 0o755);
  writeFileSync(path.join(dir, "users.txt"), `"${target.username}" "${target.password}"\n`);
  const shipped = readFileSync("deploy/pgbouncer.ini", "utf8")
    .replace("port=5432", `port=${target.port}`)
    .replace("listen_port = 6432", `listen_port = ${through.port}`)
    .replace("/etc/pgbouncer/userlist.txt", path.join(dir, "users.txt"));
  writeFileSync(
    path.join(dir, "pgbouncer.ini"),
    `${shipped}\nunix_socket_dir =\n; Databases are dropped after each test.\nserver_idle_timeout = 5\n`,
  );
  const child = spawn("pgbouncer", ["-q", path.join(dir, "pgbouncer.ini")], {
    ...serverUser(dir),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const stop = () => {
    child.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  };
  for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(100)) {
    const sql = postgres(through.href, {
      max: 1,
      prepare: false,
      connect_timeout: 2,
      onnotice: () => undefined,
    });
    const isUp = await sql`select 1`.then(
      () => true,
      () => false,
    );
    await sql.end({ timeout: 1 });
    if (isUp) return { url: through.href, stop };
  }
  stop();
  throw new Error(`PgBouncer did not start: ${said}`);
}
