import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { newPerson } from "@/testing/factories";
import { cookiesOf, signInTo } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/test-database";

const CONTRACT = `0x${"1".repeat(40)}`;
const CANCEL = { contractAddress: CONTRACT, batchId: "b", reason: "a reason" };
const JOB = "0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d";

const app = useBuiltApp();
let db: Database;
beforeAll(() => {
  db = createDatabase({ url: app.databaseUrl(), poolMax: 1, timeoutSeconds: 10, pooler: "none" });
});
afterAll(() => db?.close());

const ask = (cookie: string, path: string, init: RequestInit = {}) =>
  fetch(app.url + path, {
    redirect: "manual",
    ...init,
    headers: { Cookie: cookie, Origin: app.url, ...init.headers },
  });
const change = (cookie: string, name: string, input: object = {}) =>
  ask(cookie, `/api/trpc/console.${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(input),
  });
const sessionOf = async (cookie: string) => (await ask(cookie, "/api/auth/session")).json();
const leave = (cookie: string, csrfToken: string) =>
  ask(cookie, "/api/auth/signout", { method: "POST", body: new URLSearchParams({ csrfToken }) });

test("a staff session gives access to the console and not to the API", async () => {
  const { cookie } = await signInTo(app);
  const me = await ask(cookie, "/api/trpc/console.session.me");
  expect(await me.json()).toMatchObject({ result: { data: { email: app.admin.email, role: "admin" } } });
  const api = await ask(cookie, `/v1/contracts/${CONTRACT}/batches`);
  expect([api.status, ((await api.json()) as { code: string }).code]).toEqual([401, "missing_token"]);
});

let staff: string | undefined;
const TRANSFERS = `/contracts/${CONTRACT}/transfers/export`;
test.each([
  ["/batches/export", 200],
  ["/recipients/0xbad/export", 400],
  [`/batches/${CONTRACT}/b/receipts`, 404],
  [`/payouts/${CONTRACT}/p/export`, 404],
  [`/contracts/${CONTRACT}/statements/export?month=2026-13`, 400],
  [`${TRANSFERS}?by=created&from=2026-02-01&to=2026-01-01`, 400],
  ["/api/trpc/console.batches.list?input=%7B", 400],
])("%s is %i for staff", async (path, status) => {
  staff ??= (await signInTo(app)).cookie;
  expect((await ask(staff, path)).status).toBe(status);
});

/** What a copied cookie can do. */
async function expectToBeEnded(cookie: string): Promise<void> {
  const page = await ask(cookie, "/batches");
  // The redirect may come after the first bytes of the page.
  const redirect = `${page.headers.get("location")} ${await page.text()}`;
  expect(redirect).toContain("/sign-in?callbackUrl=");
  expect(redirect).not.toContain(app.admin.email);
  const paths = [
    ...["/batches/export", `/batches/jobs/${JOB}/export`, "/api/trpc/console.session.me"],
    ...[`/batches/${CONTRACT}/b/receipts`, `/payouts/${CONTRACT}/p/export`],
  ];
  for (const path of paths) expect([path, (await ask(cookie, path)).status]).toEqual([path, 401]);
  expect((await change(cookie, "batches.cancel", CANCEL)).status).toBe(401);
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
