import type { Database } from "@/db/client";
import { findStaff, noteSignIn } from "./find-staff";

/** Why somebody whom the issuer knows may not come in: words of a closed list, for they stand in an address. */
export type Refusal = "email_not_verified" | "not_staff";

/**
 * Whether claims of the OpenID Connect issuer name a person of staff. The issuer must vouch for the e-mail: whoever may
 * write any e-mail there could otherwise come in as anybody.
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
