import { eq } from "drizzle-orm";
import { getServerSession, type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { staff } from "@/db/schema/access";
import { database } from "../database";
import { log } from "../log";
import { settings } from "../settings";
import { single } from "../single";
import type { StaffIdentity } from "../trpc/context";
import { PASSWORD_LENGTH_MAX, verifyPassword } from "./password";
import { sessionCookies } from "./session-cookies";

const SESSION_SECONDS = 12 * 60 * 60;
/** What a person may write as an e-mail: no control characters, which Postgres refuses in its own words. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
/** Passwords checked at once: each check takes 128 MiB, and anybody may ask for one. */
const CHECKS_MAX = 4;

async function findStaff(email: string) {
  const [person] = await database()
    .orm.select()
    .from(staff)
    .where(eq(staff.email, email.toLowerCase()))
    .limit(1);
  return person && !person.disabledAt ? person : null;
}

/** @throws Error `rate_limited` or `unavailable`: next-auth puts the word into an address, so nothing else may get there. */
async function boundedCheck<T>(check: () => Promise<T>): Promise<T> {
  const checks = single("password-checks", () => ({ underWay: 0 }));
  if (checks.underWay >= CHECKS_MAX) throw new Error("rate_limited");
  checks.underWay++;
  try {
    return await check();
  } catch (error) {
    log().error({ error }, "a sign-in could not be checked");
    throw new Error("unavailable");
  } finally {
    checks.underWay--;
  }
}

/** Sign-in of staff: e-mail and password, a signed session cookie that names the person and the epoch of their access. */
export const authOptions: NextAuthOptions = {
  session: { strategy: "jwt", maxAge: SESSION_SECONDS },
  pages: { signIn: "/sign-in", error: "/sign-in" },
  get secret() {
    return settings().AUTH_SECRET;
  },
  get cookies() {
    return sessionCookies();
  },
  providers: [
    Credentials({
      credentials: { email: { type: "email" }, password: { type: "password" } },
      async authorize(given) {
        const { email = "", password = "" } = given ?? {};
        if (!EMAIL.test(email) || email.length > 320 || password.length > PASSWORD_LENGTH_MAX) return null;
        return boundedCheck(async () => {
          const person = await findStaff(email);
          if (!(await verifyPassword(password, person?.passwordHash ?? null)) || !person) return null;
          return { id: person.id, email: person.email, epoch: person.sessionEpoch };
        });
      },
    }),
  ],
  callbacks: {
    jwt({ token, user }) {
      return user ? { ...token, epoch: (user as { epoch?: number }).epoch } : token;
    },
    session({ session, token }) {
      return { ...session, epoch: token.epoch };
    },
  },
};

/** The person signed in, with the role as it stands now: a changed role, password or disabling ends older sessions. */
export async function staffSession(): Promise<StaffIdentity | null> {
  const session = (await getServerSession(authOptions)) as {
    user?: { email?: string };
    epoch?: number;
  } | null;
  if (!session?.user?.email) return null;
  const person = await findStaff(session.user.email);
  if (!person || person.sessionEpoch !== session.epoch) return null;
  return { email: person.email, role: person.role };
}
