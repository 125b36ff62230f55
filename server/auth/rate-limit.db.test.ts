import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { type TestDatabase, testDatabase } from "../testing/test-database";

const QUOTA = 5;

let db: TestDatabase;
let other: Database;
let countRequest: typeof import("./rate-limit").countRequest;
let caller = 0;

beforeAll(async () => {
  db = await testDatabase();
  other = createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 5, pooler: "none" });
  vi.stubEnv("RATE_LIMIT_PER_MINUTE", String(QUOTA));
  vi.stubEnv("SIGN_IN_RATE_LIMIT_PER_MINUTE", "2");
  ({ countRequest } = await import("./rate-limit"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await other?.close();
  await db?.drop();
});
beforeEach(() => {
  caller++;
});

const count = async (on: Database, policy: "token" | "sign-in" = "token", key = `caller-${caller}`) => {
  const replyHeaders = new Headers();
  const outcome = await countRequest({ db: on, replyHeaders }, policy, key).then(
    () => "counted",
    (error: { code: string; options: { headers: Record<string, string> } }) => error,
  );
  return { outcome, limit: replyHeaders.get("ratelimit"), policy: replyHeaders.get("ratelimit-policy") };
};
const refused = expect.objectContaining({ code: "rate_limited" });

test("a caller is told quota, rest and end of the window with every request", async () => {
  const first = await count(db);
  expect(first.policy).toBe(`"token";q=${QUOTA};w=60`);
  expect(first.limit).toMatch(new RegExp(`^"token";r=${QUOTA - 1};t=(60|59)$`));
  expect((await count(db)).limit).toMatch(new RegExp(`^"token";r=${QUOTA - 2};`));
});

test("one request over the quota is refused with Retry-After, in every instance, and costs the database nothing more", async () => {
  for (let i = 0; i < QUOTA; i++) expect((await count(i % 2 ? db : other)).outcome).toBe("counted");
  for (const instance of [db, other, db]) {
    const { outcome, limit } = await count(instance);
    expect(outcome).toEqual(refused);
    expect(limit).toMatch(/^"token";r=0;t=\d+$/);
    const seconds = Number(
      (outcome as { options: { headers: Record<string, string> } }).options.headers["Retry-After"],
    );
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
  }
  const [row] = await db.sql<
    { points: number }[]
  >`select points from rate_limits where key = ${`token:caller-${caller}`}`;
  expect(row!.points).toBe(QUOTA + 2);
});

test("of many requests at once, from two instances, exactly the quota is let through", async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, i) => count(i % 2 ? db : other)));
  expect(outcomes.filter(({ outcome }) => outcome === "counted")).toHaveLength(QUOTA);
});

test("callers and policies are counted apart", async () => {
  for (let i = 0; i < QUOTA; i++) await count(db);
  expect((await count(db)).outcome).toEqual(refused);
  expect((await count(db, "token", "somebody-else")).outcome).toBe("counted");
  for (let i = 0; i < 2; i++) expect((await count(db, "sign-in")).outcome).toBe("counted");
  expect((await count(db, "sign-in")).outcome).toEqual(refused);
});

test("a new window starts from nothing", async () => {
  const key = `caller-${caller}`;
  await db.sql`insert into rate_limits values (${`token:${key}`}, 99, ${String(Date.now() - 1)})`;
  expect((await count(db)).limit).toMatch(new RegExp(`^"token";r=${QUOTA - 1};`));
});

test("counts of past windows are swept", async () => {
  const { sweepEnded } = await import("../finalizer/sweep-ended");
  await db.sql`insert into rate_limits values ('token:old', 1, ${String(Date.now() - 120_000)})`;
  await count(db);
  await sweepEnded(db);
  const keys = await db.sql<
    { key: string }[]
  >`select key from rate_limits where key in ('token:old', ${`token:caller-${caller}`})`;
  expect(keys.map(({ key }) => key)).toEqual([`token:caller-${caller}`]);
});
