import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson, storedPerson } from "@/testing/people";
import { type TestDatabase, testDatabase } from "@/testing/test-database";
import { admitByClaims } from "./admit-by-claims";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await newPerson(db, { email: "in@example.com", role: "viewer", cameIn: false });
  const out = await newPerson(db, { email: "out@example.com", role: "admin" });
  await db.sql`update staff set disabled_at = now() where id = ${out.id}`;
});
afterAll(() => db?.drop());

test("a verified e-mail of staff comes in, in any letter case, and is noted", async () => {
  expect(await admitByClaims(db, { email: "In@Example.com", email_verified: true })).toBeNull();
  expect(await admitByClaims(db, { email: "in@example.com", email_verified: "true" })).toBeNull();
  expect((await storedPerson(db, "in@example.com")).last_sign_in_at).not.toBeNull();
});

test.each([
  ["a stranger", { email: "stranger@example.com", email_verified: true }, "not_staff"],
  ["a disabled person", { email: "out@example.com", email_verified: true }, "not_staff"],
  [
    "an e-mail that is not verified",
    { email: "in@example.com", email_verified: false },
    "email_not_verified",
  ],
  ["an e-mail nothing is said of", { email: "in@example.com" }, "email_not_verified"],
  ["no e-mail", { email_verified: true }, "email_not_verified"],
])("%s is refused", async (_who, claims, refusal) => {
  expect(await admitByClaims(db, claims)).toBe(refusal);
});
