import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { type Cluster, readPassword, SUPERUSER } from "./cluster";
import { EmbeddedPostgresError, errorCode } from "./errors";

/** Owns the database `postgres`, and is what the service signs in as. */
export const ORDINARY_ROLE = "app";

export const urlOf = (role: string, cluster: Cluster, port: number) =>
  `postgres://${role}:${readPassword(cluster)}@127.0.0.1:${port}/postgres`;

/** Creates the role on the first start of a cluster. False while nothing listens. */
export async function ensureRole(cluster: Cluster, port: number): Promise<boolean> {
  try {
    await withSql(urlOf(ORDINARY_ROLE, cluster, port), (sql) => sql`select 1`);
    return true;
  } catch (error) {
    if (!isRefusal(error)) return false;
  }
  try {
    await createOrdinaryRole(cluster, port);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new EmbeddedPostgresError(
      `Postgres rejected the password in ${cluster.password}. Restore that file from a backup.`,
    );
  }
}

const isRefusal = (error: unknown) => /^(28|SASL)/.test(errorCode(error) ?? "");

/** Anyone who reads the service's password then reaches its data, but not the machine's files or programs. */
async function createOrdinaryRole(cluster: Cluster, port: number): Promise<void> {
  const password = readPassword(cluster).replaceAll("'", "''");
  await withSql(urlOf(SUPERUSER, cluster, port), (sql) =>
    sql.begin(async (tx) => {
      // A password cannot be a parameter.
      await tx.unsafe(`create role ${ORDINARY_ROLE} login password '${password}'`);
      await tx.unsafe(`alter database postgres owner to ${ORDINARY_ROLE}`);
      if (!cluster.asSuperuser) await tx.unsafe(`alter role ${SUPERUSER} password null`);
    }),
  );
}

/** For longer than the server needs to notice that a client is gone (`client_connection_check_interval`). */
const SESSION_LOOKS = 20;
const SESSION_LOOK_MS = 100;

export const hasSessions = (url: string): Promise<boolean> =>
  withSql(url, async (sql) => {
    for (let look = 0; look < SESSION_LOOKS; look++) {
      const others = await sql`
        select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (others.length === 0) return false;
      await sleep(SESSION_LOOK_MS);
    }
    return true;
  }).catch(() => false);

async function withSql<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 3, fetch_types: false, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
