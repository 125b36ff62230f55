import postgres, { type Sql } from "postgres";
import { connectionOptions, type Database } from "@/db/client";

/** Where a node listens. */
interface NodeAddress {
  host: string;
  port: number;
}

/** The same database on another node, or another database on the same node. */
export function urlAt(url: string, where: Partial<NodeAddress> & { database?: string }): string {
  const at = new URL(url);
  if (where.host !== undefined) at.hostname = where.host;
  if (where.port !== undefined) at.port = String(where.port);
  if (where.database !== undefined) at.pathname = `/${where.database}`;
  return at.href;
}

/** One connection for a few statements. */
export async function withSql<T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(connectionOptions({ url, poolMax: 1, timeoutSeconds: 60, pooler: "none" }));
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Creates a database with Citus on every node, and registers the workers with the coordinator. */
export async function makeDatabase(
  coordinatorUrl: string,
  workers: readonly NodeAddress[],
  name: string,
): Promise<void> {
  const { hostname, port } = new URL(coordinatorUrl);
  const nodes = [{ host: hostname, port: Number(port) }, ...workers];
  for (const node of nodes) {
    await withSql(urlAt(coordinatorUrl, node), (sql) => sql`create database ${sql(name)}`);
    await withSql(
      urlAt(coordinatorUrl, { ...node, database: name }),
      (sql) => sql`create extension if not exists citus`,
    );
  }
  await withSql(urlAt(coordinatorUrl, { database: name }), async (sql) => {
    await sql`select citus_set_coordinator_host(${hostname}::text, ${port}::int)`;
    for (const worker of workers) await sql`select citus_add_node(${worker.host}::text, ${worker.port}::int)`;
  });
}

/** The workers' addresses, as the coordinator reaches them. */
export function workersOf(citusUrl: string): Promise<NodeAddress[]> {
  return withSql(
    citusUrl,
    async (sql) =>
      await sql<NodeAddress[]>`
        select node_name as host, node_port::int as port from citus_get_active_worker_nodes() order by 1, 2`,
  );
}

/** The same database on the coordinator and on each worker. */
export async function onEveryNode(citusUrl: string, database: string): Promise<string[]> {
  const workers = await workersOf(citusUrl);
  return [{}, ...workers].map((node) => urlAt(citusUrl, { ...node, database }));
}

/** The migrated database that each test file clones. Loading its maker would take each file 0.1 s. */
export const TEMPLATE = "template_ptb";

export const SHARDS_PRETENDED = 4;

let pretended = false;

/** Whether this test file sends its statements in their Citus form. */
export const shardsArePretended = () => pretended;

/** For the next test file. */
export const pretendNoShards = () => {
  pretended = false;
};

/**
 * Makes the service send its Citus statements to one Postgres, by adding the parts of Citus' catalog that it
 * reads. Contracts are spread over four pretend shards. On Citus it changes nothing.
 */
export async function pretendShards({ sql }: Pick<Database, "sql">): Promise<void> {
  if ((await sql`select 1 from pg_extension where extname = 'citus'`).length > 0) return;
  pretended = true;
  const [made] = await sql<
    { before: boolean }[]
  >`select to_regclass('pg_dist_partition') is not null as before`;
  if (made!.before) return;
  await sql.unsafe(`
    create function get_shard_id_for_distribution_column(relation regclass, value bytea) returns bigint
      language sql immutable as 'select 102008 + get_byte(sha256(value), 0) % ${SHARDS_PRETENDED}';
    create function run_command_on_workers(command text)
      returns table (nodename text, nodeport int, success boolean, result text)
      language sql as $$select 'worker', 5432, true, ''$$;
    create view citus_stat_activity as select *, pid::bigint as global_pid from pg_stat_activity;
    create function citus_coordinator_nodeid() returns int language sql as 'select 0';
    create function citus_calculate_gpid(node int, pid int) returns bigint
      language sql as 'select pid::bigint';
    -- Where Citus has it: not among the service's tables.
    set allow_system_table_mods = on;
    create table pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char");
    insert into pg_dist_partition values ('batches', 'h');
    reset allow_system_table_mods`);
}

/** The shard of a contract's rows. */
export async function shardOf({ sql }: Pick<Database, "sql">, contract: string): Promise<string> {
  const [row] = await sql<{ shard: string }[]>`
    select get_shard_id_for_distribution_column(
      'batches'::regclass, ${Buffer.from(contract.slice(2), "hex")}) as shard`;
  return row!.shard;
}
