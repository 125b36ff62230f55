import postgres, { type Sql } from "postgres";

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
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
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
