import { cookies, headers } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { cache } from "react";
import { pageClientAddress } from "@/server/kernel/client-address";
import { database } from "@/server/kernel/database";
import { log, logRarely } from "@/server/kernel/log";
import { consoleUrl } from "@/server/kernel/own-origin";
import { authSecrets, settings } from "@/server/kernel/settings";
import { DomainError } from "@/terms/problems";
import { checkPassword } from "./passwords";
import { deviceCookie, sessionCookies, sessionIdOf } from "./session-cookies";
import {
  admitByClaims,
  describeDevice,
  findStaff,
  type LiveSession,
  openDevice,
  openSession,
  readSession,
  sealDevice,
} from "./sessions";

const OIDC = "oidc";

type Claims = { sub: string; email?: string; email_verified?: boolean | string };

/** By password or OpenID Connect. The encrypted session cookie holds nothing but a stored session's ID. */
export const authOptions: NextAuthOptions = {
  get session() {
    return { strategy: "jwt" as const, maxAge: cookieSecondsMax() };
  },
  get jwt() {
    return { maxAge: cookieSecondsMax() };
  },
  logger: {
    error: (code, metadata) => logRarely("error", `next-auth: ${code}`, errorOf(metadata)),
    warn: (code) => logRarely("warn", `next-auth: ${code}`),
    debug: () => undefined,
  },
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
    async jwt({ user, account }) {
      // Called at sign-in only, because the service answers `/api/auth/session` itself.
      if (account?.provider !== OIDC) return { sid: (user as SignedIn).sessionId };
      const person = await findStaff(database(), user.email ?? "");
      return { sid: person && (await startSession(person.id, person.sessionEpoch)) };
    },
  },
};

const errorOf = (metadata: unknown) =>
  metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error;

type SignedIn = { id: string; sessionId: string };

const cookieSecondsMax = () => settings().SESSION_MAX_HOURS * 60 * 60;

/** The ID of this device if it signed in as this person before. */
async function knownDevice(email: string): Promise<string | null> {
  const cookie = (await cookies()).get(deviceCookie().name)?.value;
  for (const secret of authSecrets()) {
    const deviceId = openDevice(cookie, email, secret);
    if (deviceId) return deviceId;
  }
  return null;
}

async function startSession(staffId: string, epoch: number): Promise<string | null> {
  const device = describeDevice((await headers()).get("user-agent"));
  return openSession(database(), { staffId, epoch, device, replaces: await cookieSessionId() });
}

const passwordProvider = Credentials({
  credentials: { email: { type: "email" }, password: { type: "password" } },
  async authorize(given, request) {
    const { email = "", password = "" } = given ?? {};
    const forwardedFor = (request.headers?.["x-forwarded-for"] as string | undefined) ?? null;
    try {
      const client = pageClientAddress(forwardedFor, settings().TRUSTED_PROXY_HOPS);
      const device = await knownDevice(email);
      const person = await checkPassword(database(), { email, password, client, device });
      const sessionId = person && (await startSession(person.id, person.epoch));
      if (!sessionId) return null;
      const { name, options } = deviceCookie();
      (await cookies()).set(name, sealDevice(person.email, settings().AUTH_SECRET ?? "", device), options);
      return { id: person.id, sessionId };
    } catch (error) {
      throw new Error(errorCode(error));
    }
  },
});

/** next-auth puts the code into a URL, so it comes from a closed list, with `wait_<seconds>`. */
function errorCode(error: unknown): string {
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
      // Issuers may omit the email from the ID token, so it is always requested. The subjects must match.
      request: ({ client, tokens }) => client.userinfo(tokens as Parameters<typeof client.userinfo>[0]),
    },
    profile: ({ sub, email }) => ({ id: sub, email: email?.toLowerCase() }),
  };
}

/** The session that this request's cookie names, ended or not. */
export const cookieSessionId = async (): Promise<string | null> => sessionIdOf((await cookies()).toString());

/** Layout, content and title of a page ask for the person signed in, and `cache` reads once. */
export const staffSession = cache(async (): Promise<LiveSession | null> => {
  const sessionId = await cookieSessionId();
  return sessionId ? readSession(database(), sessionId) : null;
});
