import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkPassword } from "@/server/auth/passwords";
import { refusalOf } from "@/testing/expectations";
import { newPerson, staffContext, storedPerson } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { changeOwnPassword } from "./own-account";

const FAILURES_MAX = 3;

const db = useDatabase();
beforeAll(() => {
  vi.stubEnv("PASSWORD_FAILURES_PER_CLIENT", "0");
  vi.stubEnv("PASSWORD_FAILURES_PER_EMAIL", String(FAILURES_MAX));
});
afterAll(() => vi.unstubAllEnvs());

const OLD = "the previous password";
const NEW = "the current password";
const own = (email: string) => ({
  ...staffContext(db, email),
  staff: { email, role: "viewer" as const, sessionId: randomUUID() },
  clientAddress: "192.0.2.1",
});
const isAccepted = async (email: string, password: string) =>
  (await checkPassword(db, { email, password, client: "192.0.2.9", device: null })) !== null;

test("a new password can be set with the old one, and every session ends", async () => {
  await newPerson(db, { email: "a@example.com", role: "viewer", password: OLD });
  await changeOwnPassword(own("a@example.com"), { oldPassword: OLD, newPassword: NEW });
  expect(await storedPerson(db, "a@example.com")).toMatchObject({ session_epoch: 1 });
  expect([await isAccepted("a@example.com", OLD), await isAccepted("a@example.com", NEW)]).toEqual([
    false,
    true,
  ]);
  const [row] =
    await db.sql`select actor, action, detail from audit_log where target = 'staff:a@example.com'`;
  expect(row).toEqual({ actor: "staff:a@example.com", action: "staff.password", detail: {} });
});

test("a wrong old password changes nothing, names the field, and is rate-limited", async () => {
  await newPerson(db, { email: "b@example.com", role: "viewer", password: OLD });
  const guess = () =>
    refusalOf(changeOwnPassword(own("b@example.com"), { oldPassword: "a guess", newPassword: NEW }));
  for (let i = 0; i < FAILURES_MAX; i++) {
    expect((await guess()).options.errors).toMatchObject([{ pointer: "/oldPassword" }]);
  }
  expect(await guess()).toMatchObject({ code: "rate_limited" });
  expect(await storedPerson(db, "b@example.com")).toMatchObject({ session_epoch: 0 });
});

test("a user with single sign-on and no password learns how to get one", async () => {
  await newPerson(db, { email: "d@example.com", role: "viewer" });
  const refused = changeOwnPassword(own("d@example.com"), { oldPassword: OLD, newPassword: NEW });
  expect((await refusalOf(refused)).message).toContain("Ask an admin for a link");
});
