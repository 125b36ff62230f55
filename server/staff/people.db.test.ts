import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { findStaff } from "@/server/auth/sessions";
import { refusalOf } from "@/testing/expectations";
import { newPerson, staffContext, storedPerson, times } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { changeRole, disablePerson, enablePerson, listStaff } from "./people";

const db = useDatabase();
/** Another instance. */
let other: Database;
beforeAll(() => {
  other = createDatabase({ url: db.url, poolMax: 4, timeoutSeconds: 5, pooler: "none" });
});
afterAll(() => other?.close());
const clear = () => db.sql`truncate staff, staff_invitations, staff_sessions, audit_log`;
beforeEach(clear);

const actions = async () =>
  (await db.sql<{ actor: string; action: string; target: string; detail: object }[]>`
    select actor, action, target, detail from audit_log order by id`) as object[];

test("changing a role stores an audit row and ends existing sessions", async () => {
  const person = await newPerson(db, { email: "a@example.com", role: "viewer" });
  await changeRole(staffContext(db), { personId: person.id, role: "operator" });
  expect(await storedPerson(db, "a@example.com")).toMatchObject({ role: "operator", session_epoch: 1 });
  const [by, target] = ["staff:admin@example.com", "staff:a@example.com"];
  expect(await actions()).toMatchObject([
    { actor: by, action: "staff.role", target, detail: { from: "viewer", to: "operator" } },
  ]);
});

test("disabling locks a person out, and enabling restores their role and password but not their sessions", async () => {
  const person = await newPerson(db, { email: "a@example.com", role: "operator" });
  for (const _ of ["once", "again"]) await disablePerson(staffContext(db), { personId: person.id });
  expect(await findStaff(db, "a@example.com")).toBeNull();
  expect((await listStaff(staffContext(db))).map(({ state }) => state)).toEqual(["disabled"]);
  for (const _ of ["once", "again"]) await enablePerson(staffContext(db), { personId: person.id });
  expect(await findStaff(db, "a@example.com")).toMatchObject({ role: "operator", sessionEpoch: 2 });
  expect(await actions()).toMatchObject([{ action: "staff.disable" }, { action: "staff.enable" }]);
});

test("the last admin who can sign in cannot be demoted or disabled, and nothing is audited", async () => {
  const admin = await newPerson(db, { email: "a@example.com", role: "admin" });
  await newPerson(db, { email: "b@example.com", role: "operator" });
  const disabled = await newPerson(db, { email: "c@example.com", role: "admin" });
  await disablePerson(staffContext(db), { personId: disabled.id });
  await newPerson(db, { email: "invited@example.com", role: "admin", cameIn: false });
  const demoted = changeRole(staffContext(db), { personId: admin.id, role: "operator" });
  expect((await refusalOf(demoted)).message).toContain("a@example.com is the last admin");
  await refusalOf(disablePerson(staffContext(db), { personId: admin.id }));
  const same = { role: "admin", disabled_at: null, session_epoch: 0 };
  expect(await storedPerson(db, "a@example.com")).toMatchObject(same);
  expect(await actions()).toHaveLength(1);
});

test("when two instances demote and disable many admins at the same time, exactly one stays", async () => {
  for (let round = 0; round < 6; round++) {
    await clear();
    const people = await times(6, (at) => newPerson(db, { email: `admin-${at}@example.com`, role: "admin" }));
    const outcomes = await Promise.allSettled(
      people.map(({ id: personId }, at) =>
        at % 2
          ? disablePerson(staffContext(other), { personId })
          : changeRole(staffContext(db), { personId, role: "operator" }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(await db.sql`select 1 from staff where role = 'admin' and disabled_at is null`).toHaveLength(1);
    expect(await actions()).toHaveLength(5);
  }
});
