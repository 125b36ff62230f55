import { connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { newPerson } from "@/testing/people";
import { cookiesOf, signInTo } from "@/testing/sign-in";

const CONTRACT = `0x${"1".repeat(40)}`;

let app: BuiltApp;
let db: Database;
beforeAll(async () => {
  app = await startBuiltApp();
  db = createDatabase({ url: app.databaseUrl(), poolMax: 1, timeoutSeconds: 10, pooler: "none" });
});
afterAll(async () => {
  await db?.close();
  await app?.stop();
});

const ask = (cookie: string, path: string, init: RequestInit = {}) =>
  fetch(app.url + path, { redirect: "manual", ...init, headers: { Cookie: cookie, Origin: app.url } });
const sessionOf = async (cookie: string) => (await ask(cookie, "/api/auth/session")).json();
const leave = (cookie: string, csrfToken: string) =>
  ask(cookie, "/api/auth/signout", { method: "POST", body: new URLSearchParams({ csrfToken }) });
const change = (cookie: string, name: string, input: object = {}) =>
  fetch(`${app.url}/api/trpc/console.${name}`, {
    method: "POST",
    headers: { Cookie: cookie, Origin: app.url, "Content-Type": "application/json" },
    body: JSON.stringify(input),
  });

/** What a copied cookie can do. */
async function expectToBeEnded(cookie: string): Promise<void> {
  const page = await ask(cookie, "/batches");
  // The redirect may come after the first bytes of the page.
  const redirect = `${page.headers.get("location")} ${await page.text()}`;
  expect(redirect).toContain("/sign-in?callbackUrl=");
  expect(redirect).not.toContain(app.admin.email);
  expect((await ask(cookie, "/batches/export")).status).toBe(401);
  const report = "/batches/jobs/0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d/export";
  expect((await ask(cookie, report)).status).toBe(401);
  expect((await ask(cookie, "/api/trpc/console.session.me")).status).toBe(401);
  const cancel = { contractAddress: CONTRACT, batchId: "b", reason: "a reason" };
  expect((await change(cookie, "batches.cancel", cancel)).status).toBe(401);
  const reply = await ask(cookie, "/api/auth/session");
  expect(await reply.json()).toEqual({});
  expect(cookiesOf(reply)).not.toContain("session-token");
}

test("after signing out, a copied cookie reads nothing, changes nothing and does not renew itself", async () => {
  const [here, elsewhere] = [await signInTo(app), await signInTo(app)];
  expect(await sessionOf(here.cookie)).toMatchObject({ user: { email: app.admin.email } });
  expect((await leave(here.cookie, "not the token")).status).toBe(302);
  expect((await ask(here.cookie, "/batches")).status).toBe(200);
  expect((await leave(here.cookie, here.csrfToken)).headers.getSetCookie().join()).toMatch(/session-token=;/);
  await expectToBeEnded(here.cookie);
  expect((await ask(elsewhere.cookie, "/batches")).status).toBe(200);
});

test("signing out everywhere ends every session of the person", async () => {
  const [here, elsewhere] = [await signInTo(app), await signInTo(app)];
  expect((await change(here.cookie, "staff.endAllSessions")).status).toBe(200);
  for (const { cookie } of [here, elsewhere]) await expectToBeEnded(cookie);
});

test("a disabled person gets nothing, not even from /api/auth/session", async () => {
  const email = "leaving@example.com";
  const person = await newPerson(db, { email, role: "viewer", password: app.admin.password });
  const { cookie } = await signInTo({ ...app, admin: { ...app.admin, email } });
  expect(await sessionOf(cookie)).toMatchObject({ user: { email } });
  const admin = await signInTo(app);
  expect((await change(admin.cookie, "staff.disable", { personId: person.id })).status).toBe(200);
  await expectToBeEnded(cookie);
});

test("signing out fails visibly while the session cannot be ended, and the session stays", async () => {
  const { cookie, csrfToken } = await signInTo(app);
  await db.sql`alter table staff_sessions rename to lost`;
  try {
    const reply = await leave(cookie, csrfToken);
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(reply.headers.getSetCookie().join()).not.toContain("session-token");
  } finally {
    await db.sql`alter table lost rename to staff_sessions`;
  }
  expect((await ask(cookie, "/batches")).status).toBe(200);
});

/** Passes bytes on to Postgres, and keeps what the app sent. */
async function tap(url: string): Promise<{ url: string; sent: () => string; close: () => void }> {
  const { hostname, port } = new URL(url);
  let sent = "";
  const server: Server = createServer((client) => {
    const target = connect(Number(port), hostname);
    client.on("data", (chunk) => {
      sent += chunk.toString("latin1");
    });
    for (const socket of [client, target]) socket.on("error", () => undefined);
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const tapped = new URL(url);
  tapped.port = String((server.address() as { port: number }).port);
  return { url: tapped.href, sent: () => sent, close: () => server.close() };
}

test("a page load reads the session and the person once, in one statement", async () => {
  const wire = await tap(app.databaseUrl());
  const secrets = { AUTH_SECRET: "another-secret-of-this-test", CRON_SECRET: app.cronSecret };
  // Without prepared statements, every statement is sent as text.
  const other = await startBuiltApp({
    environment: { ...secrets, DATABASE_URL: wire.url, DATABASE_POOLER: "transaction", FINALIZER: "off" },
  });
  try {
    const { cookie } = await signInTo(other);
    for (const page of ["/batches", "/profile", "/access"]) {
      const before = wire.sent().length;
      expect((await fetch(other.url + page, { headers: { Cookie: cookie } })).status).toBe(200);
      const sent = wire.sent().slice(before);
      expect(sent.match(/from staff_sessions s join staff p[\s\S]*?where s\.id =/g), page).toHaveLength(1);
      expect(sent, page).not.toMatch(/from "?staff"? where "?(?:staff"?\.")?email/);
    }
  } finally {
    await other.stop();
    wire.close();
  }
});
