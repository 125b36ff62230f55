import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { ORDINARY_ROLE, SUPERUSER } from "./embedded-cluster";

const CONNECT_SECONDS = 3;
/** For longer than the server needs to notice that a client is gone (`client_connection_check_interval`). */
const SESSION_LOOKS = 20;
const SESSION_LOOK_MS = 100;

const connect = (url: string) =>
  postgres(url, { max: 1, connect_timeout: CONNECT_SECONDS, fetch_types: false, onnotice: () => undefined });

export type Login = "ours" | "refused" | "absent";

/**
 * Tries to log in. `ours`: the server has our password (SCRAM proves it to us too). `refused`: something else answers.
 * `absent`: nothing is listening (yet).
 */
export async function tryLogin(url: string): Promise<Login> {
  const sql = connect(url);
  try {
    await sql`select 1`;
    return "ours";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return code.startsWith("28") || code.startsWith("SASL") ? "refused" : "absent";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Signs in to a new cluster as its superuser, creates the role that the service uses, and removes the superuser's password,
 * in one transaction. A person who reads the service's password can then reach its data, but not the machine's files or programs.
 */
export async function createOrdinaryRole(
  superuserUrl: string,
  password: string,
  keepSuperuser: boolean,
): Promise<Login> {
  const sql = connect(superuserUrl);
  try {
    await sql.begin(async (tx) => {
      // A password cannot be a parameter. This one is base64url (`embedded-cluster.ts`).
      await tx.unsafe(`create role ${ORDINARY_ROLE} login password '${password.replaceAll("'", "''")}'`);
      await tx.unsafe(`alter database postgres owner to ${ORDINARY_ROLE}`);
      if (!keepSuperuser) await tx.unsafe(`alter role ${SUPERUSER} password null`);
    });
    return "ours";
  } catch {
    return "refused";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Whether other clients are connected. Clients that just left do not count. */
export async function hasSessions(url: string): Promise<boolean> {
  const sql = connect(url);
  try {
    for (let look = 0; look < SESSION_LOOKS; look++) {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (row?.count === 0) return false;
      await sleep(SESSION_LOOK_MS);
    }
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
