import { expect, test } from "vitest";
import { signIn } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";

const PER_EMAIL = 2;
const PER_CLIENT = 5;

const app = useBuiltApp({
  environment: {
    PASSWORD_FAILURES_PER_EMAIL: String(PER_EMAIL),
    PASSWORD_FAILURES_PER_CLIENT: String(PER_CLIENT),
    // A day, so that no interval passes during the test.
    PASSWORD_FAILURES_WINDOW_SECONDS: "86400",
  },
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
  expect(await wordOf("one@example.com")).toBe("CredentialsSignin");
  expect(await wordOf("one@example.com")).toMatch(/^wait_4\d{4}$/);
  expect(await wordOf(app.admin.email, app.admin.password)).toBeNull();
  expect(await wordOf("two@example.com")).toBe("CredentialsSignin");
  for (let i = 0; i < 2; i++) expect((await openLink()).status).toBe(400);
  const refused = await openLink({ "X-Forwarded-For": "198.51.100.7" });
  expect(refused.status).toBe(429);
  expect(((await refused.json()) as { error: { data: object } }).error.data).toMatchObject({
    problem: { code: "rate_limited" },
  });
  expect(await wordOf(app.admin.email, app.admin.password)).toMatch(/^wait_1\d{4}$/);
  const known = await signIn(app.url, app.admin, { ownCookies: device });
  expect(known.url).not.toContain("error");
  const other = await signIn(
    app.url,
    { email: "one@example.com", password: "not the password" },
    { ownCookies: device },
  );
  expect(other.url).toContain("wait_");
});
