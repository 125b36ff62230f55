import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";

describe.each(["host", "next"] as const)("the log of the %s server", (door) => {
  let app: BuiltApp;
  let db: Database;
  let startedAt = 0;
  beforeAll(async () => {
    const oidc = { OIDC_ISSUER: "http://127.0.0.1:1/issuer", OIDC_CLIENT_ID: "c", OIDC_CLIENT_SECRET: "s" };
    app = await startBuiltApp({ door, environment: { LOG_LEVEL: "debug", ...oidc } });
    db = createDatabase({ url: app.databaseUrl(), poolMax: 1, timeoutSeconds: 10, pooler: "none" });
    await vi.waitFor(() => expect(app.output()).toMatch(/^Ready at .*\n/m), 10_000);
    startedAt = app.output().length;
  });
  afterAll(async () => {
    await db?.close();
    await app?.stop();
  });

  test("has only JSON lines after the start, whatever callers send, and repeats no message of a library", async () => {
    const { cookie, csrfToken } = await signInTo(app);
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(app.url + path, { headers, redirect: "manual" });
    const garbage = { Cookie: "next-auth.session-token=garbage; next-auth.csrf-token=garbage" };
    await db.sql`alter table batches rename to lost`;
    for (let i = 0; i < 4; i++) {
      for (const path of ["/batches", "/api/auth/session", "/api/auth/csrf", "/api/trpc/console.session.me"])
        await get(path, garbage);
      await fetch(`${app.url}/api/auth/signout`, {
        method: "POST",
        headers: { Cookie: `${cookie.replace(/session-token=[^;]+/, "session-token=garbage")}` },
        body: new URLSearchParams({ csrfToken }),
        redirect: "manual",
      });
      await get("/api/auth/callback/oidc?code=x&state=y");
      await fetch(`${app.url}/api/auth/signin/oidc`, {
        method: "POST",
        headers: { Cookie: cookie },
        body: new URLSearchParams({ csrfToken }),
        redirect: "manual",
      });
      await get("/batches", { Cookie: cookie });
      await get("/batches/0xnot/an%20id", { Cookie: cookie });
      await get("/sign-in", { RSC: "1", "Next-Router-State-Tree": "garbage" });
      await fetch(`${app.url}/sign-in`, { method: "POST", headers: { "Next-Action": "x" }, body: "[]" });
    }
    await db.sql`alter table lost rename to batches`;
    const lines = app.output().slice(startedAt).split("\n").filter(Boolean);
    const parsed = lines.map((line) => {
      try {
        return JSON.parse(line) as { msg: string; level: number };
      } catch {
        throw new Error(`not JSON: ${line}`);
      }
    });
    const oidc = parsed.filter(({ msg }) => msg === "next-auth: SIGNIN_OAUTH_ERROR");
    expect(oidc).toHaveLength(1);
    for (const { msg } of parsed.filter(({ msg }) => msg.startsWith("next-auth: ")))
      expect(parsed.filter((line) => line.msg === msg)).toHaveLength(1);
  });
});
