import type { CookiesOptions } from "next-auth";
import { publicOrigin } from "../kernel/settings";

/** Maximum time for a sign-in at the issuer. */
const ISSUER_SECONDS_MAX = 15 * 60;

/**
 * Cookies for a console served over https: `__Host-` cookies are Secure, limited to this host, and cannot be set by a
 * neighboring host. Otherwise next-auth's default names apply.
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
