import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { FaultProxy } from "@/testing/fault-proxy";
import { useDatabase } from "@/testing/test-database";
import { createDatabase, type Database } from "./client";
import { arrivedLate, Errand, readDatabaseClock, TooLateError } from "./errand";
import { onErrand } from "./on-errand";

const db = useDatabase();
let proxy: FaultProxy;
let pool: Database;

beforeAll(async () => {
  await db.sql`create table public.marks (at int)`;
  proxy = await FaultProxy.start(db.url);
  pool = createDatabase({ url: proxy.through(db.url), poolMax: 1, timeoutSeconds: 30, pooler: "none" });
});
afterEach(() => db.sql`truncate public.marks`);
afterAll(async () => {
  await pool.close();
  await proxy.stop();
});

/** An errand with this much time, and the pool for it. */
async function errandOf(leftMs: () => number, on = pool) {
  const errand = new Errand(leftMs);
  errand.clock = await readDatabaseClock(on);
  return { errand, on: onErrand(on, [errand]) };
}

/** Time that is over when the test says so. */
function timer() {
  let isOver = false;
  return { leftMs: () => (isOver ? 0 : 60_000), end: () => (isOver = true) };
}

const endIn = (ms: number) => {
  const end = performance.now() + ms;
  return () => end - performance.now();
};

const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error("It was done."),
    (error: Error) => error,
  );

const mark = ({ sql }: Pick<Database, "sql">, at: number) =>
  sql`insert into public.marks select ${at}::int returning at`;
const marks = async () =>
  (await db.sql<{ at: number }[]>`select at from public.marks order by at`).map(({ at }) => at);

describe("a statement of an errand", () => {
  test.each([
    ["none", 150],
    ["transaction", 150],
    // In time for the first of two messages.
    ["transaction", 450],
  ] as const)(
    "does not begin if the network brings it after its end, with the pooler %s and %d ms left",
    async (pooler, leftMs) => {
      const url = proxy.through(db.url);
      const other = createDatabase({ url, poolMax: 1, timeoutSeconds: 30, pooler });
      await mark(other, 1);
      const { on, errand } = await errandOf(endIn(leftMs), other);
      await proxy.set("slow");
      const refused = await errorOf(mark(on, 2));
      await proxy.set("ok");
      await other.close();
      const isCancelled = "code" in refused && refused.code === "57014";
      expect(isCancelled || refused instanceof TooLateError || arrivedLate(refused)).toBe(true);
      expect(errand.mayBeStored()).toBe(false);
      expect(await marks()).toEqual([1]);
    },
  );

  test("is cancelled at its end while it waits for a lock, and the next one has the session's time", async () => {
    await mark(db, 1);
    const holder = await db.sql.reserve();
    await holder`begin`;
    await holder`update public.marks set at = 2`;
    const { on, errand } = await errandOf(endIn(1500));
    const refused = await errorOf(on.sql`update public.marks set at = at + 10`);
    await holder`commit`;
    holder.release();
    expect([(refused as { code?: string }).code, errand.mayBeStored(), errand.underWay]).toEqual([
      "57014",
      false,
      0,
    ]);
    expect(await marks()).toEqual([2]);
    expect(await pool.sql`select current_setting('statement_timeout') as is`).toEqual([{ is: "30s" }]);
  });

  test("is not sent if its time is over when a connection is free", async () => {
    const { leftMs, end } = timer();
    const { on } = await errandOf(leftMs);
    const { on: inTime } = await errandOf(() => 60_000);
    const held = await pool.sql.reserve();
    const late = [
      mark(on, 1),
      mark(on, 2),
      on.sql.begin((tx) => mark({ sql: tx as unknown as Sql }, 3)),
      mark(on, 4),
    ].map(errorOf);
    const next = [mark(inTime, 5), mark(inTime, 6), mark(pool, 7)];
    end();
    held.release();
    for (const error of await Promise.all(late)) expect(error).toBeInstanceOf(TooLateError);
    // Each of the others has its own answer.
    expect(await Promise.all(next)).toEqual([[{ at: 5 }], [{ at: 6 }], [{ at: 7 }]]);
    expect(await marks()).toEqual([5, 6, 7]);
  });

  test("is undone if its time is over before its transaction commits", async () => {
    const { leftMs, end } = timer();
    const { on, errand } = await errandOf(leftMs);
    const undone = on.sql.begin(async (tx) => {
      await tx`insert into public.marks values (1)`;
      end();
    });
    expect(await errorOf(undone)).toBeInstanceOf(TooLateError);
    expect([await marks(), errand.mayBeStored(), errand.underWay]).toEqual([[], false, 0]);
  });

  test("that several share is not sent when one of their callers waits no longer", async () => {
    const [one, other] = [await errandOf(() => 60_000), await errandOf(() => 60_000)];
    const shared = onErrand(pool, [one.errand, other.errand]);
    await mark(shared, 1);
    expect([one.errand.mayBeStored(), other.errand.mayBeStored()]).toEqual([true, true]);
    other.errand.end();
    expect(await errorOf(mark(shared, 2))).toBeInstanceOf(TooLateError);
    expect(await marks()).toEqual([1]);
  });

  test("is sent again if Postgres has forgotten what was prepared", async () => {
    const { on } = await errandOf(() => 60_000);
    await mark(on, 1);
    await mark(on, 2);
    await pool.sql.unsafe("deallocate all");
    await mark(on, 3);
    expect(await marks()).toEqual([1, 2, 3]);
  });
});

describe("what an errand may have stored", () => {
  test("is nothing after reads and locks, and something after a lost connection", async () => {
    const { on, errand } = await errandOf(() => 60_000);
    await on.sql`select at from public.marks for update`;
    await on.sql`select at from public.marks for no key update of marks`;
    expect(errand.mayBeStored()).toBe(false);
    await mark(pool, 1);
    await proxy.set("deaf");
    const lost = errorOf(mark(on, 2));
    while ((await marks()).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await proxy.set("reset");
    await lost;
    await proxy.set("ok");
    expect(errand.mayBeStored()).toBe(true);
    // A repeat that found nothing to store says nothing about the lost one.
    errand.storedNothing();
    expect(errand.mayBeStored()).toBe(true);
  });

  test.each([
    ["nothing if Citus could not connect to a worker", "Connection refused", false],
    ["something if Citus lost one", "server closed the connection unexpectedly", true],
  ])("is %s", async (_, said, isStored) => {
    const { on, errand } = await errandOf(() => 60_000);
    const lost = on.sql.unsafe(`do $$ begin
      insert into public.marks values (1);
      raise '${said}' using errcode = '08006'; end $$`);
    expect((await errorOf(lost)).message).toBe(said);
    expect(errand.mayBeStored()).toBe(isStored);
  });
});
