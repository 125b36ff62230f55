import type { CookiesOptions } from "next-auth";
import { publicOrigin } from "../kernel/settings";

/** How long someone may take to sign in at an issuer. */
const ISSUER_SECONDS_MAX = 15 * 60;

/**
 * The cookies of a sign-in where people come by https: `__Host-` ones are Secure, of this host alone, and cannot be set
 * by a neighbouring one. Elsewhere next-auth's own names stand, without the prefix.
 */
export function sessionCookies(): Partial<CookiesOptions> {
  if (!publicOrigin().startsWith("https:")) return {};
  const cookie = (name: string, options?: { maxAge: number }) => ({
    name: `__Host-next-auth.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: true, ...options } as const,
  });
  const underWay = { maxAge: ISSUER_SECONDS_MAX };
  return {
    sessionToken: cookie("session-token"),
    callbackUrl: cookie("callback-url"),
    csrfToken: cookie("csrf-token"),
    pkceCodeVerifier: cookie("pkce.code_verifier", underWay),
    state: cookie("state", underWay),
    nonce: cookie("nonce", underWay),
  };
}
