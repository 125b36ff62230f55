import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { refusalOf } from "@/testing/expect-refusal";
import { newPerson, storedPerson } from "@/testing/people";
import { useDatabase } from "@/testing/test-database";

const PER_CLIENT = 6;
const PER_EMAIL = 3;
const WINDOW_SECONDS = 60;

const db = useDatabase();
let other: Database;
let checkPassword: typeof import("./check-password").checkPassword;
let round = 0;

beforeAll(async () => {
  other = createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 5, pooler: "none" });
  vi.stubEnv("PASSWORD_FAILURES_PER_CLIENT", String(PER_CLIENT));
  vi.stubEnv("PASSWORD_FAILURES_PER_EMAIL", String(PER_EMAIL));
  vi.stubEnv("PASSWORD_FAILURES_WINDOW_SECONDS", String(WINDOW_SECONDS));
  ({ checkPassword } = await import("./check-password"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await other?.close();
});

const RIGHT = "the right password";
let email: string;
beforeEach(async () => {
  email = `person-${++round}@example.com`;
  await newPerson(db, { email, role: "viewer", password: RIGHT, cameIn: false });
});

const attempt = (password: string, options: { client?: string; email?: string; db?: Database } = {}) =>
  checkPassword(options.db ?? db, {
    email: options.email ?? email,
    password,
    client: options.client ?? `client-${round}`,
  });

test("a correct password signs in with the email in any letter case, and the sign-in is stored", async () => {
  expect(await attempt(RIGHT, { email: email.toUpperCase() })).toMatchObject({ email, epoch: 0 });
  expect((await storedPerson(db, email)).last_sign_in_at).not.toBeNull();
});

test("wrong passwords for one email are limited across all clients until the window ends", async () => {
  for (let i = 0; i < PER_EMAIL; i++) expect(await attempt("wrong", { client: `${round}-${i}` })).toBeNull();
  const refused = await refusalOf(attempt(RIGHT, { client: `${round}-last` }));
  const seconds = Number(refused.options.headers?.["Retry-After"]);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS);
  expect(await refusalOf(attempt(RIGHT, { db: other }))).toMatchObject({ code: "rate_limited" });
  await db.sql`update rate_limits set expire = (extract(epoch from now()) * 1000)::bigint`;
  const another = createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 5, pooler: "none" });
  expect(await attempt(RIGHT, { db: another })).toMatchObject({ email });
  await another.close();
});

test("wrong passwords from one client are limited across all emails, and other clients are not affected", async () => {
  for (let i = 0; i < PER_CLIENT; i++) {
    expect(await attempt("wrong", { email: `stranger-${round}-${i}@example.com` })).toBeNull();
  }
  expect(await refusalOf(attempt(RIGHT))).toMatchObject({ code: "rate_limited" });
  expect(await attempt(RIGHT, { client: `another-${round}` })).toMatchObject({ email });
});

test("only failures count: correct passwords are never limited", async () => {
  for (let i = 0; i < PER_CLIENT + 2; i++) expect(await attempt(RIGHT)).toMatchObject({ email });
  expect(await attempt("wrong")).toBeNull();
  expect(await attempt(RIGHT)).toMatchObject({ email });
});

test("concurrent guesses cannot exceed the limit", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, (_, i) => attempt("wrong", { client: `${round}-at-once-${i}` })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(PER_EMAIL);
});

test("the table of counts has no emails", async () => {
  await attempt("wrong");
  const rows = await db.sql`select key from rate_limits`;
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain("@");
});
