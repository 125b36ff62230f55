import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { FaultProxy } from "@/testing/fault-proxy";
import { createDatabase, type Database } from "./client";

const POOL_MAX = 4;
const TIMEOUT_SECONDS = 1;

let url: string;
let admin: Database;
let proxy: FaultProxy;
let db: Database;

const open = (to: string, poolMax = POOL_MAX) =>
  createDatabase({ url: to, poolMax, timeoutSeconds: TIMEOUT_SECONDS, pooler: "none" });

beforeAll(() => {
  url = inject("postgresUrl");
  admin = open(url);
});
afterAll(() => admin.close());
beforeEach(async () => {
  proxy = await FaultProxy.start(url);
  db = open(proxy.through(url));
});
afterEach(async () => {
  await db.close();
  await proxy.stop();
});

const warmUp = () => Promise.all(Array.from({ length: POOL_MAX }, () => db.sql`select pg_sleep(0.02)`));

/** The error of a call. One that hangs fails the test, when its time is over. */
const errorOf = (call: () => Promise<unknown>): Promise<unknown> =>
  call().then(
    () => undefined,
    (error: unknown) => error,
  );

async function expectHealed(): Promise<void> {
  // The pool notices closed connections only after a turn of the event loop.
  await sleep(20);
  const errors = await Promise.all(
    Array.from({ length: 3 * POOL_MAX }, () => errorOf(() => db.sql`select 1`)),
  );
  expect(errors.filter((error) => error !== undefined)).toEqual([]);
  const inside = await db.sql.begin(async (tx) => await tx`select 2 as two`);
  expect(inside[0]?.two).toBe(2);
}

test("queries on a silent network time out, and the pool recovers", async () => {
  await warmUp();
  await proxy.set("blackhole");
  const errors = await Promise.all(
    Array.from({ length: POOL_MAX }, (_, i) =>
      errorOf(() => (i % 2 ? db.sql`select ${i}::int` : db.sql.begin((tx) => tx`select ${i}::int`))),
    ),
  );
  for (const error of errors) expect(isDatabaseUnavailable(error), String(error)).toBe(true);
  await proxy.set("ok");
  await expectHealed();
});

test.each(["reset", "refuse", "hangup"] as const)(
  "a port that answers with %s fails immediately and recovers",
  async (mode) => {
    await warmUp();
    await proxy.set(mode);
    for (let round = 0; round < 3; round++) {
      const error = await errorOf(() => db.sql`select 1`);
      expect(isDatabaseUnavailable(error), String(error)).toBe(true);
      // Not the code of a timeout.
      const code = expect.stringMatching(/^(ECONNRESET|ECONNREFUSED|EPIPE|CONNECTION_CLOSED)$/);
      expect(error).toMatchObject({ code });
    }
    await proxy.set("ok");
    await expectHealed();
  },
);
