import { expect, test } from "vitest";
import { signIn } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";

const PER_EMAIL = 2;
const PER_CLIENT = 5;

const app = useBuiltApp({
  environment: {
    PASSWORD_FAILURES_PER_EMAIL: String(PER_EMAIL),
    PASSWORD_FAILURES_PER_CLIENT: String(PER_CLIENT),
    PASSWORD_FAILURES_WINDOW_SECONDS: "300",
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

test("guessing is limited per email, then per client regardless of forged headers, and replies say how long to wait", async () => {
  expect(await wordOf("one@example.com")).toBe("CredentialsSignin");
  expect(await wordOf("one@example.com")).toBe("CredentialsSignin");
  expect(await wordOf("one@example.com")).toMatch(/^wait_(2\d\d|300)$/);
  expect(await wordOf(app.admin.email, app.admin.password)).toBeNull();
  expect(await wordOf("two@example.com")).toBe("CredentialsSignin");
  expect((await openLink()).status).toBe(400);
  const refused = await openLink({ "X-Forwarded-For": "198.51.100.7" });
  expect(refused.status).toBe(429);
  expect(((await refused.json()) as { error: { data: object } }).error.data).toMatchObject({
    problem: { code: "rate_limited" },
  });
  expect(await wordOf(app.admin.email, app.admin.password)).toMatch(/^wait_\d+$/);
});
