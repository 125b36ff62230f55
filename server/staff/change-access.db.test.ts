import { beforeEach, describe, expect, test } from "vitest";
import { refusalOf } from "@/testing/expectations";
import { newPerson, staffContext, storedPerson } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { findStaff } from "../auth/find-staff";
import { changeRole, disablePerson, enablePerson, listStaff } from "./people";

const db = useDatabase();
beforeEach(() => db.sql`truncate staff, staff_invitations, staff_sessions, saved_views, audit_log`);

const actions = async () =>
  (await db.sql<{ actor: string; action: string; target: string; detail: object }[]>`
    select actor, action, target, detail from audit_log order by id`) as object[];

test("changing a role stores an audit row and ends existing sessions", async () => {
  const person = await newPerson(db, { email: "a@example.com", role: "viewer" });
  await changeRole(staffContext(db), { personId: person.id, role: "operator" });
  expect(await storedPerson(db, "a@example.com")).toMatchObject({ role: "operator", session_epoch: 1 });
  expect(await actions()).toMatchObject([
    {
      actor: "staff:admin@example.com",
      action: "staff.role",
      target: "staff:a@example.com",
      detail: { from: "viewer", to: "operator" },
    },
  ]);
});

test("disabling locks a person out, and enabling restores their role and password but not their sessions", async () => {
  const person = await newPerson(db, { email: "a@example.com", role: "operator" });
  await disablePerson(staffContext(db), { personId: person.id });
  await disablePerson(staffContext(db), { personId: person.id });
  expect(await findStaff(db, "a@example.com")).toBeNull();
  expect((await listStaff(staffContext(db))).map(({ state }) => state)).toEqual(["disabled"]);
  await enablePerson(staffContext(db), { personId: person.id });
  await enablePerson(staffContext(db), { personId: person.id });
  expect(await findStaff(db, "a@example.com")).toMatchObject({ role: "operator", sessionEpoch: 2 });
  expect(await actions()).toMatchObject([{ action: "staff.disable" }, { action: "staff.enable" }]);
});

describe("the last admin who can sign in", () => {
  test("cannot be demoted or disabled, and nothing is audited", async () => {
    const admin = await newPerson(db, { email: "a@example.com", role: "admin" });
    await newPerson(db, { email: "b@example.com", role: "operator" });
    const disabled = await newPerson(db, { email: "c@example.com", role: "admin" });
    await disablePerson(staffContext(db), { personId: disabled.id });
    await newPerson(db, { email: "invited@example.com", role: "admin", cameIn: false });
    const demoted = changeRole(staffContext(db), { personId: admin.id, role: "operator" });
    expect((await refusalOf(demoted)).message).toContain("a@example.com is the last admin");
    await refusalOf(disablePerson(staffContext(db), { personId: admin.id }));
    expect(await storedPerson(db, "a@example.com")).toMatchObject({
      role: "admin",
      disabled_at: null,
      session_epoch: 0,
    });
    expect(await actions()).toHaveLength(1);
  });
});
