import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { staff } from "@/db/schema/access";

/** The person with an e-mail who may use the console now; null when there is none, or they are disabled. */
export async function findStaff(db: Database, email: string) {
  const [person] = await db.orm.select().from(staff).where(eq(staff.email, email.toLowerCase())).limit(1);
  return person && !person.disabledAt ? person : null;
}

/** Notes that a person signed in just now. */
export async function noteSignIn(db: Database, email: string): Promise<void> {
  await db.sql`update staff set last_sign_in_at = now() where email = ${email.toLowerCase()}`;
}
