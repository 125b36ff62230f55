// `npm run citus [-- --port 7400] [--data folder] [name=value …]`: starts a coordinator and two workers on loopback, on a
// Postgres with the Citus extension. It prints the URL and runs until Ctrl-C.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { chownTo, serverUser } from "@/db/embedded-user";
import { makeDatabase, urlAt, withSql } from "./make-database";
import { runProgram } from "./postgres-programs";

const WORKERS = 2;
const DATABASE = "app";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string", default: "7400" }, data: { type: "string", default: ".data/citus" } },
});

const SETTINGS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_preload_libraries: "citus",
  wal_level: "logical",
  max_prepared_transactions: "400",
  max_connections: "400",
  // Each database with Citus has its own background process.
  max_worker_processes: "100",
  "citus.node_conninfo": "sslmode=disable",
  // Transactions across workers cost more with each shard, and few shards are enough on one machine.
  "citus.shard_count": "8",
  timezone: "UTC",
  ...Object.fromEntries(positionals.map((each) => each.split(/=(.*)/s).slice(0, 2))),
};

const folder = path.resolve(values.data);
fs.mkdirSync(folder, { recursive: true, mode: 0o711 });
const ports = Array.from({ length: WORKERS + 1 }, (_, at) => Number(values.port) + at);
const nodes = ports.map((port) => ({ port, dataDir: path.join(folder, `node-${port}`) }));
const url = `postgres://app@127.0.0.1:${values.port}/${DATABASE}`;

for (const { port, dataDir } of nodes) startNode(port, dataDir);
const admin = urlAt(url, { database: "postgres" });
const made = await withSql(admin, (sql) => sql`select 1 from pg_database where datname = ${DATABASE}::text`);
const workers = ports.slice(1).map((port) => ({ host: "127.0.0.1", port }));
if (made.length === 0) await makeDatabase(admin, workers, DATABASE);

const stop = () => {
  for (const { dataDir } of nodes) runProgram("pg_ctl", dataDir, ["stop", "-w", "-m", "fast"]);
  process.exit();
};
process.on("SIGINT", stop).on("SIGTERM", stop);
setInterval(() => undefined, 60_000);
console.log(`CITUS_URL=${url}`);

/** Anyone on this machine may connect: it listens on loopback only and has only test data. */
function startNode(port: number, dataDir: string): void {
  if (!fs.existsSync(path.join(dataDir, "PG_VERSION"))) {
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    chownTo(serverUser(dataDir), dataDir);
    runProgram("initdb", dataDir, ["--username=app", "--auth=trust", "--encoding=UTF8", "--locale=C"]);
  }
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  const file = path.join(dataDir, "cluster.conf");
  fs.writeFileSync(file, settings.map(([name, value]) => `${name} = '${value}'\n`).join(""));
  const main = path.join(dataDir, "postgresql.conf");
  const include = "include 'cluster.conf'";
  if (!fs.readFileSync(main, "utf8").includes(include)) fs.appendFileSync(main, `\n${include}\n`);
  chownTo(serverUser(dataDir), file);
  const ranBefore = fs.existsSync(path.join(dataDir, "postmaster.opts"));
  const log = path.join(dataDir, "postgres.log");
  runProgram("pg_ctl", dataDir, [ranBefore ? "restart" : "start", "-w", "-m", "fast", "-l", log]);
}
