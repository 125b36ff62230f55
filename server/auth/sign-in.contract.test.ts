import { expect, test } from "vitest";
import { signIn as signInAt } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";

const app = useBuiltApp();

const signIn = (email: string, password: string) => signInAt(app.url, { email, password });

test("of many concurrent sign-ins, some passwords are checked, the rest are asked to wait, and no one is locked out", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, i) => signIn(`nobody-${i}@example.com`, "not the password")),
  );
  const errors = outcomes.map(({ url }) => new URL(url).searchParams.get("error"));
  expect(new Set(errors)).toEqual(new Set(["CredentialsSignin", "rate_limited"]));
  const { url, cookie } = await signIn(app.admin.email, app.admin.password);
  expect(url).not.toContain("error");
  expect(cookie).toContain("session-token");
});

test("a staff session gives access to the console and not to the API", async () => {
  const { cookie } = await signIn(app.admin.email, app.admin.password);
  const me = await fetch(`${app.url}/api/trpc/console.session.me`, { headers: { Cookie: cookie } });
  expect(await me.json()).toMatchObject({ result: { data: { email: app.admin.email, role: "admin" } } });
  const api = await fetch(`${app.url}/v1/contracts/0x${"1".repeat(40)}/batches`, {
    headers: { Cookie: cookie },
  });
  expect([api.status, ((await api.json()) as { code: string }).code]).toEqual([401, "missing_token"]);
});

test("a console mutation is refused from another origin or without a session", async () => {
  const { cookie } = await signIn(app.admin.email, app.admin.password);
  const cancel = (headers: Record<string, string>) =>
    fetch(`${app.url}/api/trpc/console.batches.cancel`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ contractAddress: `0x${"1".repeat(40)}`, batchId: "b", reason: "a reason" }),
    });
  expect((await cancel({ Cookie: cookie, Origin: "https://evil.example" })).status).toBe(403);
  expect((await cancel({ Cookie: cookie })).status).toBe(403);
  expect((await cancel({ Origin: app.url })).status).toBe(401);
  expect((await cancel({ Cookie: cookie, Origin: app.url })).status).toBe(404);
});

test("an impossible email and an unreadable query get our own error messages", async () => {
  const { url } = await signIn("a\0b@x", "not the password");
  expect(new URL(url).searchParams.get("error")).toBe("CredentialsSignin");
  const { cookie } = await signIn(app.admin.email, app.admin.password);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(app.url + path, {
      ...init,
      headers: { Cookie: cookie, Origin: app.url, "Content-Type": "application/json" },
    });
  const statuses = await Promise.all([
    ask("/batches/export"),
    ask("/batches/export?contract=0xbad"),
    ask("/batches/export?status=NOPE"),
    ask("/batches/export?from=garbage"),
    ask("/batches/export?sort=NOPE"),
    ask("/batches/jobs/0bad/export"),
    ask("/batches/jobs/0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d/export"),
    ask("/recipients/0xbad/export"),
    ask("/recipients/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD/export"),
    ask(`/contracts/0x${"1".repeat(40)}/statements/export`),
    ask(`/contracts/0x${"1".repeat(40)}/statements/export?month=2026-13`),
    ask(`/contracts/0x${"1".repeat(40)}/statements/export?month=2026-01`),
    ask(`/contracts/0x${"1".repeat(40)}/transfers/export?by=paid&from=2026-01-01&to=2026-02-01`),
    ask(`/contracts/0x${"1".repeat(40)}/transfers/export?by=created&from=2026-02-01&to=2026-01-01`),
    ask(`/contracts/0x${"1".repeat(40)}/transfers/export?by=created&from=2026-01-01&to=2026-02-01`),
    ask("/api/trpc/console.batches.list?input=%7B"),
    ask("/api/trpc/console.batches.cancel", { method: "POST", body: "{" }),
    ask("/api/trpc/console.batches.cancel"),
    ask("/api/trpc/console.batches.cancel", {
      method: "POST",
      body: JSON.stringify({ contractAddress: `0x${"1".repeat(40)}`, batchId: "b", reason: "abc\0" }),
    }),
  ]);
  expect(statuses.map((reply) => reply.status)).toEqual([
    200, 400, 400, 400, 400, 404, 404, 400, 400, 400, 400, 404, 400, 400, 404, 400, 400, 405, 400,
  ]);
});
