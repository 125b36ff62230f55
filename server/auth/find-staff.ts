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
