import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { staff } from "@/db/schema/access";

/** The team member with this email; null when there is none or they are disabled. */
export async function findStaff(db: Database, email: string) {
  const [person] = await db.orm.select().from(staff).where(eq(staff.email, email.toLowerCase())).limit(1);
  return person && !person.disabledAt ? person : null;
}

/** Stores the time of a sign-in. */
export async function noteSignIn(db: Database, email: string): Promise<void> {
  await db.sql`update staff set last_sign_in_at = now() where email = ${email.toLowerCase()}`;
}

/** Why a sign-in through the issuer is refused. A closed list, since it appears in a URL. */
export type Refusal = "email_not_verified" | "not_staff";

/**
 * Whether the issuer's OpenID Connect claims belong to a team member. The email must be verified. Otherwise anyone who
 * can set an arbitrary email at the issuer could sign in as someone else.
 */
export async function admitByClaims(
  db: Database,
  claims: { email?: unknown; email_verified?: unknown },
): Promise<Refusal | null> {
  const { email, email_verified: verified } = claims;
  // Some issuers write the boolean as a string.
  if (typeof email !== "string" || (verified !== true && verified !== "true")) return "email_not_verified";
  const person = await findStaff(db, email);
  if (!person) return "not_staff";
  await noteSignIn(db, person.email);
  return null;
}
