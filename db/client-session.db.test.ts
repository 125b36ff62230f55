import { expect, test } from "vitest";
import { useDatabase } from "@/testing/test-database";
import { createDatabase } from "./client";

const db = useDatabase();

test("a session uses UTC, whatever time zone the database has", async () => {
  const name = new URL(db.url).pathname.slice(1);
  await db.sql`alter database ${db.sql(name)} set timezone to 'America/New_York'`;
  const direct = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  const [session] = await direct.sql`select current_setting('TimeZone') as zone, now()::text as now`;
  await direct.close();
  expect(session).toEqual({ zone: "UTC", now: expect.stringMatching(/\+00$/) });
});
