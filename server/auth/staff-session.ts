import { getServerSession, type NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { cache } from "react";
import { database } from "../kernel/database";
import { pageClientAddress } from "../kernel/http/client-address";
import { log } from "../kernel/log";
import { settings } from "../kernel/settings";
import type { StaffIdentity } from "../kernel/trpc-context";
import { DomainError } from "../kernel/values/problems";
import { admitByClaims } from "./admit-by-claims";
import { checkPassword } from "./check-password";
import { consoleUrl } from "./console-url";
import { findStaff } from "./find-staff";
import { sessionCookies } from "./session-cookies";

const SESSION_SECONDS = 12 * 60 * 60;
const OIDC = "oidc";

interface Claims {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
}

/** Staff sign-in, by password or OpenID Connect. A signed session cookie has the person and their session epoch. */
export const authOptions: NextAuthOptions = {
  session: { strategy: "jwt", maxAge: SESSION_SECONDS },
  pages: { signIn: "/sign-in", error: "/sign-in" },
  get secret() {
    return settings().AUTH_SECRET;
  },
  get cookies() {
    return sessionCookies();
  },
  get providers() {
    return settings().OIDC_ISSUER ? [passwordProvider, oidcProvider()] : [passwordProvider];
  },
  callbacks: {
    redirect: ({ url, baseUrl }) => consoleUrl(url, baseUrl),
    async signIn({ account, profile }) {
      if (account?.provider !== OIDC) return true;
      const refusal = await admitByClaims(database(), profile ?? {}).catch((error: unknown) => {
        log().error({ error }, "a sign-in could not be verified");
        return "unavailable" as const;
      });
      return refusal ? `/sign-in?error=${refusal}` : true;
    },
    async jwt({ token, user, account }) {
      if (!user) return token;
      if (account?.provider !== OIDC) return { ...token, epoch: (user as { epoch?: number }).epoch };
      const person = await findStaff(database(), user.email ?? "");
      return { ...token, email: person?.email, epoch: person?.sessionEpoch };
    },
    session({ session, token }) {
      return { ...session, epoch: token.epoch };
    },
  },
};

const passwordProvider = Credentials({
  credentials: { email: { type: "email" }, password: { type: "password" } },
  async authorize(given, request) {
    const { email = "", password = "" } = given ?? {};
    const forwardedFor = (request.headers?.["x-forwarded-for"] as string | undefined) ?? null;
    return checkPassword(database(), {
      email,
      password,
      client: pageClientAddress(forwardedFor, settings().TRUSTED_PROXY_HOPS),
    }).catch((error: unknown) => {
      throw new Error(wordFor(error));
    });
  },
});

/** next-auth puts the error code into a URL, so it comes from a closed list, which includes `wait_<seconds>`. */
function wordFor(error: unknown): string {
  if (error instanceof DomainError && error.code === "rate_limited") {
    const seconds = error.options.headers?.["Retry-After"];
    return seconds ? `wait_${Number(seconds)}` : "rate_limited";
  }
  log().error({ error }, "a sign-in could not be verified");
  return "unavailable";
}

function oidcProvider(): OAuthConfig<Claims> {
  const { OIDC_ISSUER = "", OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = settings();
  return {
    id: OIDC,
    name: OIDC_NAME,
    type: "oauth",
    wellKnown: `${OIDC_ISSUER.replace(/\/$/, "")}/.well-known/openid-configuration`,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    authorization: { params: { scope: "openid email" } },
    userinfo: {
      // Always requested, since issuers may omit the email from the ID token. The subjects of both must match.
      request: ({ client, tokens }) => client.userinfo(tokens as Parameters<typeof client.userinfo>[0]),
    },
    profile: ({ sub, email }) => ({ id: sub, email: email?.toLowerCase() }),
  };
}

/**
 * The person signed in, with their current role. A changed role or password, or disabling, ends older sessions.
 * A page load asks in its layout, page and title; React's `cache` reads the row once for all of them.
 */
export const staffSession = cache(async (): Promise<StaffIdentity | null> => {
  const session = (await getServerSession(authOptions)) as {
    user?: { email?: string };
    epoch?: number;
  } | null;
  if (!session?.user?.email) return null;
  const person = await findStaff(database(), session.user.email);
  if (!person || person.sessionEpoch !== session.epoch) return null;
  return { email: person.email, role: person.role };
});
