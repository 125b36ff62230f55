import { beforeAll, expect, test } from "vitest";
import { newPerson, storedPerson } from "@/testing/people";
import { useDatabase } from "@/testing/test-database";
import { admitByClaims } from "./find-staff";

const db = useDatabase();
beforeAll(async () => {
  await newPerson(db, { email: "in@example.com", role: "viewer", cameIn: false });
  const out = await newPerson(db, { email: "out@example.com", role: "admin" });
  await db.sql`update staff set disabled_at = now() where id = ${out.id}`;
});

test("a team member signs in with a verified email in any letter case, and the sign-in is stored", async () => {
  expect(await admitByClaims(db, { email: "In@Example.com", email_verified: true })).toBeNull();
  expect(await admitByClaims(db, { email: "in@example.com", email_verified: "true" })).toBeNull();
  expect((await storedPerson(db, "in@example.com")).last_sign_in_at).not.toBeNull();
});

test.each([
  ["a stranger", { email: "stranger@example.com", email_verified: true }, "not_staff"],
  ["a disabled person", { email: "out@example.com", email_verified: true }, "not_staff"],
  ["an unverified email", { email: "in@example.com", email_verified: false }, "email_not_verified"],
  ["an email without a verification claim", { email: "in@example.com" }, "email_not_verified"],
  ["no email", { email_verified: true }, "email_not_verified"],
])("%s is refused", async (_who, claims, refusal) => {
  expect(await admitByClaims(db, claims)).toBe(refusal);
});
