import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrateDatabase } from "@/db/migrate";
import { type TestDatabase, testDatabase } from "@/testing/test-database";
import { failureLine } from "../ops/output";
import { whenUp } from "./prepare-database";
import { StartError } from "./start-error";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const start = (change: (url: URL) => void) => {
  // Postgres itself, where the other tests go through a pooler, which answers in words of its own.
  const url = new URL(inject("postgresUrl"));
  url.pathname = new URL(db.url).pathname;
  change(url);
  return whenUp(() => migrateDatabase({ url: url.href, timeoutSeconds: 2 })).catch((error: unknown) => error);
};

test("a database that is not there is said in one line, without a stack, and is not waited for", async () => {
  const error = await start((url) => {
    url.pathname = "/nowhere";
  });
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toBe(
    'Postgres refuses: database "nowhere" does not exist. Look at DATABASE_URL, and at DATABASE_MIGRATION_URL where it is set.',
  );
});

test("so is a role that may not change the schema, in Postgres' own words", async () => {
  await db.sql`drop role if exists stranger_of_start`;
  await db.sql`create role stranger_of_start login password 'known'`;
  await db.sql`drop schema drizzle cascade`;
  const error = await start((url) => {
    url.username = "stranger_of_start";
    url.password = "known";
  });
  await db.sql`drop role stranger_of_start`;
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(
    /^Postgres refuses: permission denied for database \w+\. Look at /,
  );
  expect(failureLine((error as Error).cause)).toMatch(/^Postgres refuses: permission denied for database /);
});

test("so is a wrong password", async () => {
  await db.sql`create role forgetful_of_start login password 'known'`;
  const error = await start((url) => {
    url.username = "forgetful_of_start";
    url.password = "forgotten";
  });
  await db.sql`drop role forgetful_of_start`;
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(/^Postgres refuses: password authentication failed for user /);
});
