import type { Database } from "@/db/client";
import { findStaff, noteSignIn } from "./find-staff";
import { verifyPassword } from "./password";
import { PASSWORD_LENGTH_MAX } from "./password-rules";
import { boundedPasswordWork, limitedTry } from "./password-work";

/** What a person may write as an e-mail: no control characters, which Postgres refuses in its own words. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const EMAIL_LENGTH_MAX = 320;

interface Credentials {
  email: string;
  password: string;
  /** The network address that asks. */
  client: string;
}

/**
 * The person whom an e-mail and a password name, with the epoch of their access; null when they do not fit.
 * @throws DomainError `rate_limited`: too many wrong tries (with `Retry-After`), or too many at this moment
 */
export async function checkPassword(db: Database, { email, password, client }: Credentials) {
  const isPossible =
    EMAIL.test(email) && email.length <= EMAIL_LENGTH_MAX && password.length <= PASSWORD_LENGTH_MAX;
  if (!isPossible) return null;
  const person = await limitedTry(db, { client, email }, () =>
    boundedPasswordWork(async () => {
      const known = await findStaff(db, email);
      return (await verifyPassword(password, known?.passwordHash ?? null)) ? known : null;
    }),
  );
  if (!person) return null;
  await noteSignIn(db, person.email);
  return { id: person.id, email: person.email, epoch: person.sessionEpoch };
}
