import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { refusalOf } from "@/testing/expectations";
import { newPerson, publicContext, staffContext, storedPerson } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { acceptInvitation, invitePerson } from "./links";
import { changeOwnPassword } from "./own-account";
import { createStaff } from "./people";

const COMMON = "password1234";
const GOOD = "correct horse battery";
const EMAIL = "a@example.com";

const db = useDatabase();
beforeAll(() => {
  vi.stubEnv("PASSWORD_FAILURES_PER_CLIENT", "0");
  vi.stubEnv("PASSWORD_FAILURES_PER_EMAIL", "0");
});
afterAll(() => vi.unstubAllEnvs());

test("a common password is refused by an invitation, a password change and the command line, with the field and a way out", async () => {
  await newPerson(db, { email: EMAIL, role: "viewer", password: GOOD });
  const { token } = await invitePerson(staffContext(db), { email: "b@example.com", role: "viewer" });
  const own = {
    ...staffContext(db, EMAIL),
    staff: { email: EMAIL, role: "viewer" as const, sessionId: randomUUID() },
    clientAddress: "192.0.2.1",
  };
  const tries: [string, () => Promise<unknown>][] = [
    ["/password", () => acceptInvitation(publicContext(db), { token, password: COMMON })],
    ["/newPassword", () => changeOwnPassword(own, { oldPassword: GOOD, newPassword: COMMON })],
    [
      "/password",
      () => createStaff(staffContext(db), { email: "c@example.com", role: "admin", password: COMMON }),
    ],
  ];
  const { password_hash: before } = await storedPerson(db, EMAIL);
  for (const [pointer, attempt] of tries) {
    const refused = await refusalOf(attempt());
    expect(refused).toMatchObject({ code: "validation_failed", options: { errors: [{ pointer }] } });
    expect(refused.message).toContain("Choose another one");
  }
  expect((await storedPerson(db, EMAIL)).password_hash).toBe(before);
  // The link is not used up.
  expect(await acceptInvitation(publicContext(db), { token, password: GOOD })).toEqual({
    email: "b@example.com",
  });
});
