import postgres from "postgres";
import { ORDINARY_ROLE, SUPERUSER } from "./embedded-cluster";
import type { Login } from "./embedded-process";

/**
 * Signs in to a new cluster as its superuser, creates the role that the service uses, and removes the superuser's password,
 * in one transaction. A person who reads the service's password can then reach its data, but not the machine's files or programs.
 */
export async function createOrdinaryRole(
  superuserUrl: string,
  password: string,
  keepSuperuser: boolean,
): Promise<Login> {
  const sql = postgres(superuserUrl, { max: 1, connect_timeout: 3, fetch_types: false });
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
