import { expect, test } from "vitest";
import { testDatabase } from "@/server/testing/test-database";

test("a test database has the migrated tables", async () => {
  const db = await testDatabase();
  const [row] = await db.sql`select count(*)::int as batches from batches`;
  expect(row).toEqual({ batches: 0 });
  await db.drop();
});
