import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testDatabase } from "../testing/test-database";

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  db = await testDatabase();
  vi.stubEnv("DATABASE_URL", db.url);
  vi.stubEnv("AUTH_SECRET", "a-secret-of-this-test");
  vi.stubEnv("CRON_SECRET", "a-secret-of-this-test");
  vi.stubEnv("DATABASE_POOL_MAX", "1");
  vi.stubEnv("DATABASE_TIMEOUT_SECONDS", "1");
  vi.stubEnv("LOG_LEVEL", "silent");
});
afterAll(async () => {
  const { database } = await import("../database");
  await database().close();
  vi.unstubAllEnvs();
  await db.drop();
});

test("a caller that gets no connection is answered 503 with Retry-After, and served when there is one again", async () => {
  const { handleRest } = await import("./handler");
  const { database } = await import("../database");
  const { makeToken } = await import("../auth/access-token");
  let release = false;
  const hog = database().sql.begin(async (tx) => {
    while (!release) await tx`select pg_sleep(0.1)`;
  });
  const ask = () =>
    handleRest(
      new Request(`http://host/v1/contracts/0x${"1".repeat(40)}/batches`, {
        headers: { Authorization: `Bearer ${makeToken("access")}` },
      }),
    );
  const refused = await ask();
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(await refused.json()).toMatchObject({ code: "unavailable", success: false });
  release = true;
  await hog;
  expect((await ask()).status).toBe(401);
});
