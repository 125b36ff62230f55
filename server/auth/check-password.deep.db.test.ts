import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { refusalOf } from "@/testing/expectations";
import { newPerson } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { checkPassword, limitedTry } from "./passwords";

const PER_EMAIL = 3;
const WINDOW_SECONDS = 600;

const db = useDatabase();
let other: Database;
let round = 0;

beforeAll(() => {
  other = createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 5, pooler: "none" });
  vi.stubEnv("PASSWORD_FAILURES_PER_EMAIL", String(PER_EMAIL));
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

type Options = { client?: string; email?: string; device?: string; db?: Database };
const attempt = (password: string, options: Options = {}) =>
  checkPassword(options.db ?? db, {
    email: options.email ?? email,
    password,
    client: options.client ?? `client-${round}`,
    device: options.device ?? null,
  });
const retryAfter = async (outcome: Promise<unknown>) => {
  const refused = await refusalOf(outcome);
  expect(refused.code).toBe("rate_limited");
  return Number(refused.options.headers?.["Retry-After"]);
};
/** Lets time pass for the counts. */
const pass = (seconds: number) => db.sql`update rate_limits set expire = expire - ${seconds * 1000}`;

test("wrong passwords from elsewhere, however many, lock no one out", async () => {
  for (let i = 0; i < 5; i++)
    for (let j = 0; j < PER_EMAIL; j++) await attempt("wrong", { client: `elsewhere-${round}-${i}` });
  expect(await attempt(RIGHT)).toMatchObject({ email });
});

test("after too many wrong passwords from one address, attempts are slowed down, on every instance", async () => {
  for (let i = 0; i < PER_EMAIL; i++) expect(await attempt("wrong")).toBeNull();
  for (const instance of [db, other]) {
    const seconds = await retryAfter(attempt(RIGHT, { db: instance }));
    expect(seconds).toBeGreaterThan(WINDOW_SECONDS / PER_EMAIL / 2);
    expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS / PER_EMAIL);
  }
  await pass(WINDOW_SECONDS / PER_EMAIL);
  expect(await attempt("wrong")).toBeNull();
  await retryAfter(attempt(RIGHT));
  await pass(WINDOW_SECONDS / PER_EMAIL);
  expect(await attempt(RIGHT)).toMatchObject({ email });
});

test("a device that signed in before gets through while strangers guess from the same address, with a limit of its own", async () => {
  for (let i = 0; i < 10 * PER_EMAIL; i++)
    await limitedTry(db, { client: `client-${round}`, email: `stranger-${round}-${i}` }, async () => null);
  await retryAfter(attempt(RIGHT));
  for (let i = 0; i < PER_EMAIL; i++) expect(await attempt("wrong", { device: "laptop" })).toBeNull();
  await retryAfter(attempt(RIGHT, { device: "laptop" }));
  expect(await attempt(RIGHT, { device: "phone" })).toMatchObject({ email });
});

test("unknown emails are answered like known ones, however often they are tried", async () => {
  const answers = async (tried: string, client: string) => {
    const codes: string[] = [];
    for (let i = 0; i < PER_EMAIL + 2; i++)
      codes.push(await attempt("wrong", { email: tried, client }).then(String, ({ code }) => code));
    return codes;
  };
  const known = await answers(email, `one-${round}`);
  expect(known).toEqual(["null", "null", "null", "rate_limited", "rate_limited"]);
  expect(await answers(`nobody-${round}@example.com`, `two-${round}`)).toEqual(known);
});

test("concurrent guesses cannot exceed the limit", async () => {
  const guesses = await Promise.allSettled(
    Array.from({ length: PER_EMAIL + 2 }, () =>
      limitedTry(db, { client: `client-${round}`, email }, async () => null),
    ),
  );
  expect(guesses.filter(({ status }) => status === "fulfilled")).toHaveLength(PER_EMAIL);
});
