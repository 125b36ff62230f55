import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { deleteExpired } from "@/server/finalizer/delete-expired";
import { endAllOwnSessions, endOwnSession, listOwnSessions } from "@/server/staff/own-account";
import { changeRole, disablePerson } from "@/server/staff/people";
import { newPerson, staffContext } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { endSession, openSession, readSession } from "./sessions";

const db = useDatabase();
let person: { id: string; email: string };
beforeAll(async () => {
  await newPerson(db, { email: "admin@example.com", role: "admin", cameIn: true });
});
beforeEach(async () => {
  person = await newPerson(db, { email: `${randomUUID()}@example.com`, role: "viewer" });
});

const open = async (options: { device?: string; replaces?: string } = {}) => {
  const { device = "Firefox on Linux", replaces = null } = options;
  return (await openSession(db, { staffId: person.id, epoch: 0, device, replaces }))!;
};
const own = (sessionId: string) => ({
  ...staffContext(db, person.email),
  staff: { email: person.email, role: "viewer" as const, sessionId },
});
const age = (id: string, column: "created_at" | "last_used_at", minutes: number) =>
  db.sql`update staff_sessions set ${db.sql(column)} = now() - make_interval(mins => ${minutes}) where id = ${id}`;

test("a session has the person's current role, and whether it is confirmed, until it is ended", async () => {
  const id = await open();
  const own = { email: person.email, role: "viewer", sessionId: id };
  expect(await readSession(db, id)).toMatchObject({ ...own, isUnconfirmed: false });
  await db.sql`update staff set unconfirmed_by = '{staff:giver@example.com}' where id = ${person.id}`;
  expect(await readSession(db, id)).toMatchObject({ ...own, isUnconfirmed: true });
  await endSession(db, id);
  expect(await readSession(db, id)).toBeNull();
});

test("a session ends after 12 hours without use, and a session ends 7 days after sign-in, even when it is in use", async () => {
  for (const [column, minutes] of [
    ["last_used_at", 12 * 60],
    ["created_at", 7 * 24 * 60],
  ] as const) {
    const id = await open();
    await age(id, column, minutes - 1);
    expect(await readSession(db, id)).not.toBeNull();
    await age(id, column, minutes + 1);
    expect(await readSession(db, id)).toBeNull();
    await deleteExpired(db);
    expect(await db.sql`select 1 from staff_sessions where id = ${id}`).toHaveLength(0);
  }
});

test.each<[string, (admin: ReturnType<typeof staffContext>) => Promise<unknown>]>([
  ["a changed role", (admin) => changeRole(admin, { personId: person.id, role: "operator" })],
  ["disabling", (admin) => disablePerson(admin, { personId: person.id })],
])("%s ends every session, and a sign-in that was checked before it opens none", async (_what, change) => {
  const id = await open();
  await change(staffContext(db));
  expect(await readSession(db, id)).toBeNull();
  expect(await open()).toBeNull();
  await deleteExpired(db);
  expect(await db.sql`select 1 from staff_sessions where staff_id = ${person.id}`).toHaveLength(0);
});

test("signing in again in the same browser replaces its session, and others stay", async () => {
  const [first, other] = [await open(), await open()];
  const second = await open({ replaces: first });
  expect(await readSession(db, first)).toBeNull();
  expect(await readSession(db, other)).not.toBeNull();
  expect(await readSession(db, second)).not.toBeNull();
});

test("people see their own live sessions, the current one first, and end one of them, never another person's; it is audited", async () => {
  const [here, phone, idle] = [await open(), await open({ device: "Safari on iOS" }), await open()];
  await age(idle, "last_used_at", 24 * 60);
  const mine = person;
  person = await newPerson(db, { email: `${randomUUID()}@example.com`, role: "viewer" });
  const theirs = await open();
  await endOwnSession(own(theirs), { sessionId: phone });
  person = mine;
  expect(await listOwnSessions(own(here))).toMatchObject([
    { id: here, device: "Firefox on Linux", isCurrent: true },
    { id: phone, device: "Safari on iOS", isCurrent: false },
  ]);
  for (let twice = 0; twice < 2; twice++) await endOwnSession(own(here), { sessionId: phone });
  expect([await readSession(db, here), await readSession(db, phone)]).toEqual([expect.anything(), null]);
  expect(await db.sql`select action, detail from audit_log where actor = ${`staff:${person.email}`}`).toEqual(
    [{ action: "staff.session", detail: { device: "Safari on iOS" } }],
  );
});

test("signing out everywhere ends all sessions and any sign-in under way, and is audited", async () => {
  const [here, phone] = [await open(), await open()];
  await endAllOwnSessions(own(here));
  expect([await readSession(db, here), await readSession(db, phone)]).toEqual([null, null]);
  expect(await open()).toBeNull();
  expect(await db.sql`select action from audit_log where actor = ${`staff:${person.email}`}`).toEqual([
    { action: "staff.sessions" },
  ]);
});
