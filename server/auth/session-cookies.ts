import type { CookiesOptions } from "next-auth";
import { getToken } from "next-auth/jwt";
import { authSecrets, publicOrigin } from "@/server/kernel/settings";
import { KNOWN_DEVICE_SECONDS } from "./sessions";

const SESSION = "session-token";
const OWN_PREFIX = "__Host-next-auth.";
/** next-auth's own names. The first one applies when a proxy reports https but PUBLIC_URL is not set. */
const DEFAULT_PREFIXES = ["__Secure-next-auth.", "next-auth."];

const isHttps = () => publicOrigin().startsWith("https:");

export const sessionCookieNames = (): string[] =>
  (isHttps() ? [OWN_PREFIX] : DEFAULT_PREFIXES).map((prefix) => prefix + SESSION);

/** Null without a cookie that this service encrypted. A made-up one is found out without the database. */
export async function sessionIdOf(cookieHeader: string | null | undefined): Promise<string | null> {
  const pairs = (cookieHeader ?? "").split(/; */).map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name, value.join("=")];
  });
  const req = { cookies: Object.fromEntries(pairs), headers: {} } as Parameters<typeof getToken>[0]["req"];
  for (const cookieName of sessionCookieNames())
    for (const secret of authSecrets()) {
      const claims = await getToken({ req, cookieName, secret });
      if (typeof claims?.sid === "string") return claims.sid;
    }
  return null;
}

const ISSUER_SECONDS_MAX = 15 * 60;

const cookieOptions = () => ({ httpOnly: true, sameSite: "lax", path: "/", secure: isHttps() }) as const;

/** The cookie of a device that signed in before: `sealDevice`. */
export const deviceCookie = () => ({
  name: isHttps() ? "__Host-known-device" : "known-device",
  options: { ...cookieOptions(), maxAge: KNOWN_DEVICE_SECONDS },
});

/** `__Host-` cookies are Secure, and no neighboring host can set them. Without https, next-auth's names. */
export function sessionCookies(): Partial<CookiesOptions> {
  if (!isHttps()) return {};
  const cookie = (name: string, options?: { maxAge: number }) => ({
    name: `${OWN_PREFIX}${name}`,
    options: { ...cookieOptions(), ...options },
  });
  const pending = { maxAge: ISSUER_SECONDS_MAX };
  return {
    sessionToken: cookie(SESSION),
    callbackUrl: cookie("callback-url"),
    csrfToken: cookie("csrf-token"),
    pkceCodeVerifier: cookie("pkce.code_verifier", pending),
    state: cookie("state", pending),
    nonce: cookie("nonce", pending),
  };
}
