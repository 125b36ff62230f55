import type { Socket } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { FaultProxy } from "@/testing/fault-proxy";
import { useDatabase } from "@/testing/test-database";
import { connectionOptions, createDatabase, type Database, type DatabaseOptions } from "./client";
import { SESSION_SETTINGS, wrongSessionSettings } from "./session-settings";

const POOL_MAX = 3;

const db = useDatabase();
let admin: Database;
let options: DatabaseOptions;

beforeAll(() => {
  options = { url: inject("postgresUrl"), poolMax: POOL_MAX, timeoutSeconds: 5, pooler: "none" };
  admin = createDatabase(options);
});
afterAll(() => admin.close());

const errorOf = (call: PromiseLike<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Terminates the backend that runs a matching statement, as a database administrator might. */
async function endBackendOf(words: string): Promise<void> {
  for (;;) {
    const ended = await admin.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'active' and query like ${`%${words}%`} and pid <> pg_backend_pid()`;
    if (ended.length > 0) return;
  }
}

test("a connection whose backend was terminated recovers, and only the running statement fails", async () => {
  const one = createDatabase({ ...options, poolMax: 1 });
  for (let round = 0; round < 3; round++) {
    const ended = errorOf(one.sql`select pg_sleep(30), ${round}::int as ended_half_way`);
    await endBackendOf("ended_half_way");
    expect(isDatabaseUnavailable(await ended)).toBe(true);
    expect(await one.sql`select ${round}::int as next`).toEqual([{ next: round }]);
  }
  await one.close();
});

/** A pool whose sockets the test controls, to simulate the network. */
function poolWithSockets(): { sql: ReturnType<typeof postgres>; sockets: Set<Socket> } {
  const sockets = new Set<Socket>();
  const given = connectionOptions(options) as ReturnType<typeof connectionOptions> & {
    socket(target: unknown): Socket;
  };
  const sql = postgres(options.url, {
    ...given,
    socket(target: unknown) {
      const socket = given.socket(target);
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    },
  } as typeof given);
  return { sql, sockets };
}

test.each([
  ["a statement", (sql: ReturnType<typeof postgres>, n: number) => sql`select ${n}::int as n`],
  [
    "a long statement",
    (sql: ReturnType<typeof postgres>, n: number) => sql`
    select ${n}::int as n, length(${"x".repeat(5000)}) as long`,
  ],
  [
    "a transaction",
    (sql: ReturnType<typeof postgres>, n: number) => sql.begin((tx) => tx`select ${n}::int as n`),
  ],
])("%s that a dead connection never sent is sent on another connection", async (_name, ask) => {
  const { sql, sockets } = poolWithSockets();
  await Promise.all(Array.from({ length: POOL_MAX }, () => sql`select pg_sleep(0.05)`));
  for (const socket of sockets) socket.destroy();
  // The pool does not know yet, because sockets emit `close` in a later turn of the event loop.
  const rows = await Promise.all(Array.from({ length: 2 * POOL_MAX }, (_, n) => ask(sql, n)));
  expect(rows.map(([row]) => row?.n)).toEqual(Array.from({ length: 2 * POOL_MAX }, (_, n) => n));
  await sql.end();
});

test("a statement that was sent is never sent again, and a transaction never continues on another connection", async () => {
  const { sql, sockets } = poolWithSockets();
  await admin.sql`create table sent_once (n int)`;
  const running = errorOf(sql`insert into sent_once select 1 from pg_sleep(1)`);
  const begun = errorOf(
    sql.begin(async (tx) => {
      await tx`insert into sent_once values (2)`;
      for (const socket of sockets) socket.destroy();
      await tx`insert into sent_once values (3)`;
    }),
  );
  expect(isDatabaseUnavailable(await running)).toBe(true);
  expect(isDatabaseUnavailable(await begun)).toBe(true);
  const sleeping = () => admin.sql`
    select 1 from pg_stat_activity where datname = current_database() and state = 'active'
      and query like '%sent_once%' and pid <> pg_backend_pid()`;
  while ((await sleeping()).length > 0) await admin.sql`select pg_sleep(0.05)`;
  const rows = await admin.sql<{ n: number }[]>`select n from sent_once`;
  expect(rows.filter(({ n }) => n !== 1)).toEqual([]);
  expect(rows.length).toBeLessThan(2);
  await sql.end();
  await admin.sql`drop table sent_once`;
});

test.each([1, 100, 5000, 50_000])(
  "after reading a whole COPY of %i rows, the connection answers the next statement",
  async (rows) => {
    const read = await db.sql.begin(async (tx) => {
      const source = await tx
        .unsafe(`copy (select repeat('x', 499) from generate_series(1, ${rows})) to stdout`)
        .readable();
      let bytes = 0;
      for await (const chunk of source as AsyncIterable<Buffer>) bytes += chunk.length;
      const [row] = await tx<{ one: number }[]>`select 1 as one`;
      return { bytes, one: row!.one };
    });
    expect(read).toEqual({ bytes: rows * 500, one: 1 });
  },
);

test("each session setting of the tests' server is another than the service asks for, and every connection has ours", async () => {
  const settingsOf = async (pooler: "none" | "transaction") => {
    const other = createDatabase({ ...options, url: db.url, poolMax: 1, pooler });
    const wrong = await wrongSessionSettings(other.sql);
    await other.close();
    return wrong.map(({ is }) => is.split(" ")[0]);
  };
  expect(await settingsOf("transaction")).toEqual(Object.keys(SESSION_SETTINGS));
  expect(await settingsOf("none")).toEqual([]);
});

test("the statements for a pooler's role set what the service asks for, and no database default wins over them", async () => {
  const pooled = () => createDatabase({ ...options, url: db.url, poolMax: 1, pooler: "transaction" });
  const before = pooled();
  const wrong = await wrongSessionSettings(before.sql);
  for (const { statement } of wrong) await before.sql.unsafe(statement);
  await before.close();
  const after = pooled();
  expect(await wrongSessionSettings(after.sql)).toEqual([]);
  await after.close();
});

describe("behind a transaction-mode pooler", () => {
  let proxy: FaultProxy;
  let pooled: Database;
  beforeAll(async () => {
    const url = inject("postgresUrl");
    proxy = await FaultProxy.start(url);
    pooled = createDatabase({
      url: proxy.through(url),
      poolMax: 1,
      timeoutSeconds: 10,
      pooler: "transaction",
    });
    await pooled.sql`select 1`;
  });
  afterAll(async () => {
    await pooled.close();
    await proxy.stop();
  });

  test("a statement is sent only after the previous one is answered", async () => {
    await proxy.set("slow");
    const startedAt = performance.now();
    // The slow link takes 300 ms each way. Two pipelined statements would share one round trip.
    await Promise.all([pooled.sql`select 1`, pooled.sql`select 2`]);
    await proxy.set("ok");
    expect(performance.now() - startedAt).toBeGreaterThan(1100);
  });
});
