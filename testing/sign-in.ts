import { randomBytes, scryptSync } from "node:crypto";
import type { BuiltApp } from "./launch-app";

/** A reply's cookies, as a browser sends them back. */
export const cookiesOf = (...replies: Response[]): string =>
  replies
    .flatMap((reply) => reply.headers.getSetCookie())
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

interface SignedIn {
  cookie: string;
  csrfToken: string;
  /** Where next-auth redirects to. */
  url: string;
  setCookies: string[];
}

/** Signs in as the sign-in page does. */
export async function signIn(
  appUrl: string,
  { email, password }: { email: string; password: string },
  { callbackUrl = "/batches", ownCookies = "" }: { callbackUrl?: string; ownCookies?: string } = {},
): Promise<SignedIn> {
  const start = await fetch(`${appUrl}/api/auth/csrf`);
  const { csrfToken } = (await start.json()) as { csrfToken: string };
  const reply = await fetch(`${appUrl}/api/auth/callback/credentials`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      Cookie: `${cookiesOf(start)}; ${ownCookies}`,
    },
    body: new URLSearchParams({ email, password, csrfToken, callbackUrl, json: "true" }),
    redirect: "manual",
  });
  // next-auth redirects an unreadable address to its error page.
  const url =
    reply.headers.get("location") ?? ((await reply.json().catch(() => ({}))) as { url?: string }).url ?? "";
  const setCookies = [...start.headers.getSetCookie(), ...reply.headers.getSetCookie()];
  return { cookie: cookiesOf(start, reply), csrfToken, url, setCookies };
}

/** As the app's first admin. */
export const signInTo = (app: BuiltApp, callbackUrl?: string) =>
  signIn(app.url, app.admin, callbackUrl === undefined ? {} : { callbackUrl });

/** In the form of `server/auth/passwords.ts`, with a cost of 2¹⁰: a check then takes milliseconds. */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password.normalize("NFKC"), salt, 32, { N: 1024, r: 8, p: 1 });
  return `scrypt$1024$8$1$${salt.toString("base64")}$${key.toString("base64")}`;
}
