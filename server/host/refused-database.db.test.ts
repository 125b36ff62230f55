import { expect, inject, test } from "vitest";
import { migrateDatabase } from "@/db/migrate";
import { failureLine } from "@/server/ops/command";
import { useDatabase } from "@/testing/test-database";
import { StartError } from "./lifecycle";
import { retryUntilUp } from "./prepare-database";

const db = useDatabase();

const asRole = (password: string) => (url: URL) =>
  void Object.assign(url, { username: "stranger_of_start", password });

test.each<[what: string, change: (url: URL) => void, refusal: RegExp]>([
  [
    "a database that does not exist",
    (url) => {
      url.pathname = "/nowhere";
    },
    /^Postgres returned an error: database "nowhere" does not exist\. Check DATABASE_URL, and DATABASE_MIGRATION_URL if it is set\.$/,
  ],
  [
    "a role that may not change the schema",
    asRole("known"),
    /^Postgres returned an error: permission denied for database \w+\. Check /,
  ],
  [
    "a wrong password",
    asRole("forgotten"),
    /^Postgres returned an error: password authentication failed for user /,
  ],
])(
  "%s stops the start immediately, with Postgres' own message in one line",
  async (_what, change, refusal) => {
    await db.sql`drop schema if exists drizzle cascade`;
    await db.sql`drop role if exists stranger_of_start`;
    await db.sql`create role stranger_of_start login password 'known'`;
    // Connects to Postgres directly. The pooler that other tests use has its own error messages.
    const url = new URL(inject("postgresUrl"));
    url.pathname = new URL(db.url).pathname;
    change(url);
    const error = await retryUntilUp(() => migrateDatabase({ url: url.href, timeoutSeconds: 2 })).catch(
      (error: unknown) => error,
    );
    await db.sql`drop role stranger_of_start`;
    expect(error).toBeInstanceOf(StartError);
    const { message, cause } = error as Error;
    expect(message).toMatch(refusal);
    expect(message).not.toContain("\n");
    expect(failureLine(cause)).toMatch(/^Postgres returned an error: /);
  },
);
