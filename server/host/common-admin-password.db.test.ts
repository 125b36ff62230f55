import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { serveFrom } from "@/testing/rest-request";
import { type TestDatabase, testDatabase } from "@/testing/test-database";
import { database } from "../kernel/database";
import { firstRun } from "./first-run";

let db: TestDatabase;
beforeAll(async () => {
  vi.stubEnv("ADMIN_PASSWORD", "password1234");
  db = await testDatabase();
  serveFrom(db);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database().close();
  await db.drop();
});

test("the first start refuses a common ADMIN_PASSWORD, and creates no one", async () => {
  await expect(firstRun({ embedded: false, baseUrl: "http://service.test" })).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(/^ADMIN_PASSWORD: .*Choose another one/),
  });
  expect(await db.sql`select 1 from staff`).toHaveLength(0);
});
