import type { Database } from "@/db/client";
import { findStaff, noteSignIn } from "./find-staff";
import { verifyPassword } from "./password";
import { PASSWORD_LENGTH_MAX } from "./password-rules";
import { boundedPasswordWork } from "./password-slots";
import { limitedTry, slotClaimOf } from "./password-work";

/** Rejects control characters, which would otherwise cause an error in Postgres. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const EMAIL_LENGTH_MAX = 320;

interface Credentials {
  email: string;
  password: string;
  /** The client's IP address. */
  client: string;
  /** The device's ID if it signed in as this person before; otherwise null. */
  device: string | null;
}

/**
 * The team member with this email and password, and their session epoch; null when either is wrong.
 * @throws DomainError `rate_limited` after too many wrong attempts (with `Retry-After`), or for too many concurrent ones
 */
export async function checkPassword(db: Database, { email, password, client, device }: Credentials) {
  const isPossible =
    EMAIL.test(email) && email.length <= EMAIL_LENGTH_MAX && password.length <= PASSWORD_LENGTH_MAX;
  if (!isPossible) return null;
  const tried = { client, email, device };
  const person = await limitedTry(db, tried, () =>
    boundedPasswordWork(slotClaimOf(tried), async () => {
      const known = await findStaff(db, email);
      return (await verifyPassword(password, known?.passwordHash ?? null)) ? known : null;
    }),
  );
  if (!person) return null;
  await noteSignIn(db, person.email);
  return { id: person.id, email: person.email, epoch: person.sessionEpoch };
}
