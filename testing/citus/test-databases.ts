import { randomBytes } from "node:crypto";
import { createDatabase } from "@/db/client";
import { isAlive } from "@/db/embedded-process";
import { migrateDatabase } from "@/db/migrate";
import { distributeTables } from "@/server/distribution/distribute-tables";
import { makeDatabase, type NodeAddress, urlAt, withSql } from "./make-database";

const DISTRIBUTE_SECONDS_MAX = 60;
const PREFIX = "ptb_";

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

/**
 * Databases of one test run on a cluster, cloned from a migrated and distributed template on each node. Citus' metadata names
 * nodes but not the database, so a clone has its own shards.
 */
export class CitusDatabases {
  readonly #prefix: string;
  readonly #template: string;
  readonly #nodes: readonly string[];

  private constructor(prefix: string, nodes: readonly string[]) {
    this.#prefix = prefix;
    this.#template = `${prefix}template`;
    this.#nodes = nodes;
  }

  /** Creates the template of a new run, and drops what killed runs on this machine left. */
  static async make(citusUrl: string): Promise<CitusDatabases> {
    const nodes = await onEveryNode(citusUrl, "postgres");
    await dropLeftovers(nodes);
    const databases = new CitusDatabases(`${PREFIX}${process.pid}_${randomBytes(3).toString("hex")}_`, nodes);
    try {
      await databases.#makeTemplate(citusUrl);
    } catch (error) {
      await databases.dropAll();
      throw error;
    }
    return databases;
  }

  /** The databases that `make` created in another process. */
  static of(given: string): CitusDatabases {
    const { prefix, nodes } = JSON.parse(given) as { prefix: string; nodes: string[] };
    return new CitusDatabases(prefix, nodes);
  }

  /** The databases of this test run's apps; null without CITUS_URL. */
  static ofRun(): CitusDatabases | null {
    const { CITUS_DATABASES } = process.env;
    return CITUS_DATABASES ? CitusDatabases.of(CITUS_DATABASES) : null;
  }

  toString(): string {
    return JSON.stringify({ prefix: this.#prefix, nodes: this.#nodes });
  }

  /** @returns the URL of a new clone, on the coordinator */
  async clone(): Promise<string> {
    const database = this.#prefix + randomBytes(6).toString("hex");
    await Promise.all(this.#nodes.map((node) => cloneOn(node, this.#template, database)));
    return urlAt(this.#nodes[0]!, { database });
  }

  /** @param url from `clone` */
  async drop(url: string): Promise<void> {
    await Promise.all(this.#nodes.map((node) => dropOn(node, new URL(url).pathname.slice(1))));
  }

  /** A database on the coordinator only, without Citus, for tests of the server or the driver. */
  async plain(): Promise<string> {
    const [coordinator] = this.#nodes as [string];
    const database = `${this.#prefix}plain`;
    await withSql(coordinator, (sql) => sql`create database ${sql(database)}`);
    return urlAt(coordinator, { database });
  }

  async dropAll(): Promise<void> {
    for (const node of this.#nodes)
      for (const name of await namesLike(node, this.#prefix)) await dropOn(node, name);
  }

  async #makeTemplate(citusUrl: string): Promise<void> {
    const [coordinator] = this.#nodes as [string];
    await makeDatabase(coordinator, await workersOf(citusUrl), this.#template);
    const url = urlAt(coordinator, { database: this.#template });
    await migrateDatabase({ url, timeoutSeconds: 10 });
    const db = createDatabase({ url, poolMax: 4, timeoutSeconds: DISTRIBUTE_SECONDS_MAX, pooler: "none" });
    await distributeTables(db).finally(() => db.close());
    await closeDatabase(this.#nodes, this.#template);
  }
}

/** Postgres can clone only a database without sessions, and Citus keeps sessions in each database that was used. */
async function closeDatabase(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes)
    await withSql(node, (sql) => sql`alter database ${sql(name)} allow_connections false`);
  for (const node of nodes)
    await withSql(node, async (sql) => {
      const ended = () =>
        sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name}::text`;
      while ((await ended()).length > 0);
    });
}

async function cloneOn(node: string, template: string, name: string): Promise<void> {
  await withSql(node, async (sql) => {
    await sql`create database ${sql(name)} template ${sql(template)}`;
    // A clone does not inherit its template's `alter database` settings.
    const settings = await sql<{ statement: string }[]>`
      select format('alter database %I set %s to %L', ${name}::text, split_part(setting, '=', 1), substring(setting from '=(.*)')) as statement
      from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase, unnest(setconfig) as setting
      where datname = ${template}::text and setrole = 0`;
    for (const { statement } of settings) await sql.unsafe(statement);
  });
}

async function dropOn(node: string, name: string): Promise<void> {
  await withSql(node, (sql) => sql`drop database if exists ${sql(name)} with (force)`);
}

async function namesLike(node: string, prefix: string): Promise<string[]> {
  const rows = await withSql(
    node,
    async (sql) =>
      await sql<{ name: string }[]>`
      select datname::text as name from pg_database where starts_with(datname, ${prefix}::text)`,
  );
  return rows.map(({ name }) => name);
}

/** A database's name contains the process that created it. */
async function dropLeftovers(nodes: readonly string[]): Promise<void> {
  for (const node of nodes)
    for (const name of await namesLike(node, PREFIX))
      if (!isAlive(Number(name.slice(PREFIX.length).split("_")[0]))) await dropOn(node, name);
}
