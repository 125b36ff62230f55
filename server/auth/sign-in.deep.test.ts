import { afterAll, beforeAll, expect, test } from "vitest";
import type { BuiltApp } from "@/testing/launch-app";
import { startBuiltApp } from "@/testing/launch-app";
import { CookieJar, type LocalIssuer, startLocalIssuer } from "@/testing/local-issuer";
import { signIn, signInTo } from "@/testing/sign-in";

const PER_EMAIL = 1;

let issuer: LocalIssuer;
let app: BuiltApp;
beforeAll(async () => {
  issuer = await startLocalIssuer();
  app = await startBuiltApp({
    environment: {
      ...issuer.environment,
      PASSWORD_FAILURES_PER_EMAIL: String(PER_EMAIL),
    },
  });
  await issuer.serve(`${app.url}/api/auth/callback/oidc`);
  await app.ops(
    ["user", "create", "--email", "viewer@example.com", "--role", "viewer"],
    "correct horse battery",
  );
});
afterAll(async () => {
  await app?.stop();
  await issuer?.stop();
});

/** Signs in at the issuer like a browser; returns the cookie jar and the final page. */
async function signInThere(person: LocalIssuer["person"]): Promise<{ jar: CookieJar; url: URL }> {
  issuer.person = person;
  const jar = new CookieJar();
  const { csrfToken } = (await (await jar.fetch(`${app.url}/api/auth/csrf`)).json()) as { csrfToken: string };
  const start = await jar.fetch(`${app.url}/api/auth/signin/oidc`, {
    method: "POST",
    body: new URLSearchParams({ csrfToken, callbackUrl: `${app.url}/batches`, json: "true" }),
  });
  const { url } = (await start.json()) as { url: string };
  return { jar, url: await jar.follow(url) };
}

const me = async (jar: CookieJar) => (await jar.fetch(`${app.url}/api/trpc/console.session.me`)).json();

test("a team member with a verified email signs in and has their role", async () => {
  const { jar, url } = await signInThere({ email: "Viewer@Example.com", email_verified: true });
  expect(url.href).toBe(`${app.url}/batches`);
  expect(await me(jar)).toMatchObject({ result: { data: { email: "viewer@example.com", role: "viewer" } } });
});

test.each([
  ["a stranger", { email: "stranger@example.com", email_verified: true }, "not_staff"],
  ["an unverified email", { email: "viewer@example.com", email_verified: false }, "email_not_verified"],
  ["an email without a verification claim", { email: "viewer@example.com" }, "email_not_verified"],
])("%s is refused with an error that the sign-in page explains", async (_who, person, word) => {
  const { jar, url } = await signInThere(person);
  expect([url.pathname, url.searchParams.get("error")]).toEqual(["/sign-in", word]);
  expect(await me(jar)).toMatchObject({ error: { data: { httpStatus: 401 } } });
  expect(await (await fetch(url)).text()).toMatch(/not a team member|not verified your email/);
});

test("when the issuer is down, its button shows an error, and passwords still work", async () => {
  await issuer.stop();
  const { url } = await signInThere({ email: "viewer@example.com", email_verified: true });
  expect([url.pathname, url.searchParams.get("error")]).toEqual(["/sign-in", "OAuthSignin"]);
  const { cookie } = await signInTo(app);
  const reply = await fetch(`${app.url}/api/trpc/console.session.me`, { headers: { Cookie: cookie } });
  expect(await reply.json()).toMatchObject({ result: { data: { email: app.admin.email, role: "admin" } } });
});

const wordOf = async (email: string, password = "not the password") =>
  new URL((await signIn(app.url, { email, password })).url).searchParams.get("error");

const openLink = (headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/trpc/console.staff.openInvitation`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: app.url, ...headers },
    body: JSON.stringify({ token: "not-a-link" }),
  });

test("guessing is slowed down per email and address, then per address regardless of forged headers, but not for a device that signed in before", async () => {
  const { cookie } = await signIn(app.url, app.admin);
  const device = /known-device=[^;]+/.exec(cookie)![0];
  expect(await wordOf("one@example.com")).toBe("CredentialsSignin");
  expect(await wordOf("one@example.com")).toMatch(/^wait_\d{3}$/);
  expect(await wordOf(app.admin.email, app.admin.password)).toBeNull();
  expect(await wordOf("two@example.com")).toBe("CredentialsSignin");
  for (let failed = 2; failed < 10 * PER_EMAIL; failed++) expect((await openLink()).status).toBe(400);
  const refused = await openLink({ "X-Forwarded-For": "198.51.100.7" });
  expect(refused.status).toBe(429);
  expect(await wordOf(app.admin.email, app.admin.password)).toMatch(/^wait_\d\d$/);
  const known = await signIn(app.url, app.admin, { ownCookies: device });
  expect(known.url).not.toContain("error");
});
