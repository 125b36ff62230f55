import { expect, inject, test } from "vitest";
import { migrateDatabase } from "@/db/migrate";
import { failureLine } from "@/server/ops/command";
import { useDatabase } from "@/testing/test-database";
import { StartError } from "./lifecycle";
import { retryUntilUp } from "./prepare-database";

const db = useDatabase();

const start = (change: (url: URL) => void) => {
  // Connects to Postgres directly. The pooler that other tests use has its own error messages.
  const url = new URL(inject("postgresUrl"));
  url.pathname = new URL(db.url).pathname;
  change(url);
  return retryUntilUp(() => migrateDatabase({ url: url.href, timeoutSeconds: 2 })).catch(
    (error: unknown) => error,
  );
};

test("a database that does not exist stops the start immediately, with one line and no stack", async () => {
  const error = await start((url) => {
    url.pathname = "/nowhere";
  });
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toBe(
    'Postgres returned an error: database "nowhere" does not exist. Check DATABASE_URL, and DATABASE_MIGRATION_URL if it is set.',
  );
});

test("a role that may not change the schema stops the start with Postgres' own message", async () => {
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
    /^Postgres returned an error: permission denied for database \w+\. Check /,
  );
  expect(failureLine((error as Error).cause)).toMatch(
    /^Postgres returned an error: permission denied for database /,
  );
});

test("a wrong password stops the start", async () => {
  await db.sql`create role forgetful_of_start login password 'known'`;
  const error = await start((url) => {
    url.username = "forgetful_of_start";
    url.password = "forgotten";
  });
  await db.sql`drop role forgetful_of_start`;
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(
    /^Postgres returned an error: password authentication failed for user /,
  );
});
