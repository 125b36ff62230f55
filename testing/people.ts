import { randomBytes, randomUUID, scryptSync } from "node:crypto";
import type { Database } from "@/db/client";
import type { ServiceContext, StaffRole } from "@/server/kernel/context";

/** A verb's context for a staff member. */
export const staffContext = (db: Database, email = "admin@example.com"): ServiceContext => ({
  db,
  actor: `staff:${email}`,
  requestId: randomUUID(),
});

/** A visitor who is not signed in. */
export const publicContext = (db: Database, clientAddress = "192.0.2.1") => ({
  db,
  clientAddress,
  requestId: randomUUID(),
});

interface NewPerson {
  email: string;
  role: StaffRole;
  password?: string;
  /** Whether they have signed in before; true when absent. */
  cameIn?: boolean;
}

/** In the stored form of `server/auth/passwords.ts`, with a cost of 2¹⁰: a check takes its cost from the hash, so tests take milliseconds. */
function quickHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password.normalize("NFKC"), salt, 32, { N: 1024, r: 8, p: 1 });
  return `scrypt$1024$8$1$${salt.toString("base64")}$${key.toString("base64")}`;
}

/** Adds a staff member without an audit row. */
export async function newPerson(db: Database, person: NewPerson): Promise<{ id: string; email: string }> {
  const hash = person.password ? quickHash(person.password) : null;
  const cameInAt = person.cameIn === false ? null : new Date().toISOString();
  const [made] = await db.sql<{ id: string; email: string }[]>`
    insert into staff (email, role, password_hash, last_sign_in_at)
    values (${person.email}, ${person.role}, ${hash}, ${cameInAt}) returning id, email`;
  return made!;
}

interface StoredPerson {
  id: string;
  role: StaffRole;
  password_hash: string | null;
  session_epoch: number;
  disabled_at: Date | null;
  last_sign_in_at: Date | null;
}

export async function storedPerson(db: Database, email: string): Promise<StoredPerson> {
  const [person] = await db.sql<StoredPerson[]>`select * from staff where email = ${email}`;
  return person!;
}
