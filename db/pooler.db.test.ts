import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { FaultProxy } from "@/testing/fault-proxy";
import { createDatabase, type Database } from "./client";

let proxy: FaultProxy;
let db: Database;
beforeAll(async () => {
  const url = inject("postgresUrl");
  proxy = await FaultProxy.start(url);
  db = createDatabase({ url: proxy.through(url), poolMax: 1, timeoutSeconds: 10, pooler: "transaction" });
  await db.sql`select 1`;
});
afterAll(async () => {
  await db.close();
  await proxy.stop();
});

test("behind a transaction-mode pooler a statement is sent only after the previous one is answered", async () => {
  await proxy.set("slow");
  const startedAt = performance.now();
  // The slow link takes 300 ms each way. Two pipelined statements would share one round trip.
  await Promise.all([db.sql`select 1`, db.sql`select 2`]);
  await proxy.set("ok");
  expect(performance.now() - startedAt).toBeGreaterThan(1100);
});

test("transactions keep their connection", async () => {
  const pids = await db.sql.begin(async (tx) => {
    const ask = () => tx<{ pid: number }[]>`select pg_backend_pid() as pid, ${1}::int as one`;
    return [...(await ask()), ...(await ask()), ...(await Promise.all([ask(), ask()])).flat()].map(
      ({ pid }) => pid,
    );
  });
  expect(pids).toHaveLength(4);
  expect(new Set(pids).size).toBe(1);
});
