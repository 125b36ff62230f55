import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { newPerson, staffContext } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { changeRole, disablePerson } from "./people";

const ROUNDS = 6;
const ADMINS = 6;

const db = useDatabase();
let other: Database;
beforeAll(async () => {
  other = createDatabase({ url: db.url, poolMax: 4, timeoutSeconds: 5, pooler: "none" });
});
afterAll(() => other?.close());

const adminsLeft = async () =>
  (await db.sql`select 1 from staff where role = 'admin' and disabled_at is null`).length;

async function newAdmins(): Promise<string[]> {
  await db.sql`truncate staff, staff_invitations, staff_sessions, saved_views, audit_log`;
  const people = await Promise.all(
    Array.from({ length: ADMINS }, (_, i) =>
      newPerson(db, { email: `admin-${i}@example.com`, role: "admin" }),
    ),
  );
  return people.map(({ id }) => id);
}

test("when two instances demote and disable many admins at the same time, exactly one stays", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ids = await newAdmins();
    const outcomes = await Promise.allSettled(
      ids.map((personId, i) =>
        i % 2
          ? disablePerson(staffContext(other), { personId })
          : changeRole(staffContext(db), { personId, role: "operator" }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(await adminsLeft()).toBe(1);
    expect(await db.sql`select 1 from audit_log`).toHaveLength(ADMINS - 1);
  }
});
