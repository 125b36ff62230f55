import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { useDatabase } from "@/testing/test-database";
import { connectionOptions } from "./client";

const db = useDatabase();
/** A pool of one connection, so that each statement follows the one before on it, and its sockets. */
let sql: Sql;
let sockets: Socket[];
beforeEach(() => {
  sockets = [];
  const given = connectionOptions({ url: db.url, poolMax: 1, timeoutSeconds: 10, pooler: "none" });
  const { socket: open } = given as unknown as { socket(target: unknown): Socket };
  const socket = (target: unknown) => {
    const opened = open(target);
    sockets.push(opened);
    return opened;
  };
  sql = postgres(db.url, { ...given, socket } as typeof given);
});
afterEach(() => sql.end());

const errorOf = async (call: PromiseLike<unknown>): Promise<unknown> =>
  await call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Statements that end in an error after the server has sent most of their rows. */
const CUT_OFF: Record<string, (sql: Sql) => PromiseLike<unknown>> = {
  "by pg_cancel_backend": (sql) => sql`
    select n, repeat('x', 1000) as long, case when n = 300 then pg_cancel_backend(pg_backend_pid()) end
    from generate_series(1, ${400}::int) as n`,
  "by a value": (sql) => sql`
    select n, repeat('x', 1000) as long, 1 / (300 - n) from generate_series(1, ${400}::int) as n`,
  "by a value, in several results": (sql) =>
    sql.unsafe("select n, 1 / (300 - n) from generate_series(1, 400) as n; select 1"),
};

/** Every way in which a statement is sent, with its only row. */
const NEXT: Record<string, (sql: Sql) => PromiseLike<unknown>> = {
  "a statement": (sql) => sql`select ${7}::int as n`,
  "a statement without parameters": (sql) => sql`select 7 as n`,
  "a statement of the query builder": (sql) => sql.unsafe("select $1::int as n", [7]),
  "a statement in plain text": (sql) => sql.unsafe("select 7 as n"),
  "a transaction": (sql) => sql.begin((tx) => tx`select ${7}::int as n`),
  values: (sql) => sql`select ${7}::int as n`.values().then((rows) => rows.map(([n]) => ({ n }))),
};

describe.each(Object.entries(CUT_OFF))("after a statement that is cut off %s", (_, cutOff) => {
  test.each(Object.entries(NEXT))("the answer to %s is whole", async (_name, ask) => {
    // The second time, it is prepared.
    for (let round = 0; round < 2; round++) {
      expect(await errorOf(cutOff(sql))).toBeInstanceOf(postgres.PostgresError);
      const rows = (await ask(sql)) as { n: number }[];
      expect([...rows]).toEqual([{ n: 7 }]);
    }
  });
});

describe("an answer that is not the one to its statement", () => {
  const READY = Buffer.from([90, 0, 0, 0, 5, 73]);

  /** Ends when the statement has reached the server. */
  async function untilItRuns(words: string): Promise<void> {
    for (;;) {
      const running = await db.sql`
        select 1 from pg_stat_activity
        where datname = current_database() and state = 'active' and query like ${`%${words}%`}
          and pid <> pg_backend_pid()`;
      if (running.length > 0) return;
    }
  }

  test("fails the statement when the server seems ready too early, and no later statement gets its rows", async () => {
    await sql`select 1`;
    const early = errorOf(sql`select ${1}::int as too_early from pg_sleep(30)`);
    await untilItRuns("too_early");
    sockets[0]!.emit("data", READY);
    expect(await early).toMatchObject({ code: "ANSWER_OUT_OF_STEP" });
    expect(isDatabaseUnavailable(await early)).toBe(true);
    expect(await sql`select ${2}::int as next`).toEqual([{ next: 2 }]);
    expect(sockets).toHaveLength(2);
  });

  test("fails the statement when a row is missing", async () => {
    const ask = () => sql`select n from generate_series(1, ${3}::int) as n`;
    await ask();
    const emit = sockets[0]!.emit.bind(sockets[0]!);
    sockets[0]!.emit = (name: string | symbol, ...rest: unknown[]) => {
      const [bytes] = rest;
      const row = name === "data" && Buffer.isBuffer(bytes) ? bytes.indexOf("D") : -1;
      if (row < 0) return emit(name as string, ...rest);
      const answer = bytes as Buffer;
      const end = row + 1 + answer.readInt32BE(row + 1);
      return emit("data", Buffer.concat([answer.subarray(0, row), answer.subarray(end)]));
    };
    expect(await errorOf(ask())).toMatchObject({ code: "ANSWER_OUT_OF_STEP" });
    expect(await ask()).toHaveLength(3);
    expect(sockets).toHaveLength(2);
  });

  test("is not assumed for statements without rows, empty ones, COPY, several results, or tables from a query", async () => {
    expect(await sql.unsafe("")).toEqual([]);
    expect(await sql.unsafe("show timezone; create temporary table t as select 1 as n")).toHaveLength(1);
    expect(await sql`create temporary table u as select n from generate_series(1, 3) as n`).toEqual([]);
    expect(await sql`insert into u select n from generate_series(1, ${4}::int) as n`).toMatchObject({
      count: 4,
    });
    expect(await sql`insert into u values (1), (2) returning n`).toHaveLength(2);
    expect(await sql`delete from u where n = ${100}::int returning n`).toEqual([]);
    expect(await sql`explain select 1`).toHaveLength(1);
    expect(await sql`select from generate_series(1, 3)`).toHaveLength(3);
    let bytes = 0;
    for await (const chunk of await sql`copy u to stdout`.readable()) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(18);
    expect(sockets).toHaveLength(1);
  });
});

describe("a transaction", () => {
  beforeEach(async () => {
    await db.sql`create table written (n int)`;
  });
  afterEach(async () => {
    await db.sql`drop table written`;
  });

  test("that is over applies no later statement, neither on its own nor in the next transaction", async () => {
    let givenUp: TransactionSql | undefined;
    await errorOf(
      sql.begin((tx) => {
        givenUp = tx;
        throw new Error("given up");
      }),
    );
    expect(await errorOf(givenUp!`insert into written values (1)`)).toMatchObject({
      code: "TRANSACTION_ENDED",
    });
    await sql.begin(async (tx) => {
      await errorOf(givenUp!`insert into written values (2)`);
      await tx`insert into written values (3)`;
    });
    expect(await db.sql`select n from written`).toEqual([{ n: 3 }]);
  });

  test("that is committing answers a statement that comes too late, and does not apply it", async () => {
    let late: Promise<unknown> | undefined;
    await sql.begin(async (tx) => {
      await tx`insert into written values (1)`;
      setImmediate(() => {
        late = errorOf(tx`insert into written values (2)`);
      });
      // Runs after the commit was sent.
    });
    while (!late) await new Promise((resolve) => setImmediate(resolve));
    expect(await late).toMatchObject({ code: "TRANSACTION_ENDED" });
    expect(await db.sql`select n from written`).toEqual([{ n: 1 }]);
  });

  test("whose COPY was refused while it was being sent shares its connection with no other statement", async () => {
    const begun = errorOf(
      sql.begin(async (tx) => {
        const target: Writable = await tx`copy written from stdin`.writable();
        const refused = new Promise((resolve) => target.once("error", resolve));
        // More than the sockets hold, so that some of it is sent after the refusal.
        for (let part = 0; part < 3; part++) target.write(Buffer.alloc(16_000_000, "x\n"));
        await refused;
        while (sockets[0]!.writableLength > 0) await new Promise((resolve) => setImmediate(resolve));
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error("refused");
      }),
    );
    const others = await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int as n`));
    expect(others.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await begun).toEqual(new Error("refused"));
  });
});
