import type { CookiesOptions } from "next-auth";
import { publicOrigin } from "../settings";

/**
 * The cookies of a sign-in where people come by https: `__Host-` ones are Secure, of this host alone, and cannot be set
 * by a neighbouring one. Elsewhere next-auth's own names stand, without the prefix.
 */
export function sessionCookies(): Partial<CookiesOptions> {
  if (!publicOrigin().startsWith("https:")) return {};
  const cookie = (name: string) => ({
    name: `__Host-next-auth.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: true } as const,
  });
  return {
    sessionToken: cookie("session-token"),
    callbackUrl: cookie("callback-url"),
    csrfToken: cookie("csrf-token"),
  };
}
