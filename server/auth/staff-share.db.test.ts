import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  callerWaitMs,
  closeDatabases,
  consoleDatabase,
  consoleSeconds,
  database,
  heavyDatabase,
} from "@/server/kernel/database";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { handleConsole } from "@/server/trpc/console-endpoint";
import { LIMITS, newPerson } from "@/testing/factories";
import { serveFrom } from "@/testing/rest-request";
import { useDatabase } from "@/testing/test-database";
import { inTurn, RUNNING_MAX, WAITING_MAX } from "./limits";
import { createCallerFactory, router, staffProcedure } from "./procedures";
import { endSession, openSession } from "./sessions";

const PER_WINDOW = 10;
const LOCK = 4711;
const db = useDatabase();
beforeAll(() => {
  serveFrom(db);
  Object.assign(process.env, {
    DATABASE_TIMEOUT_SECONDS: "2",
    CONSOLE_RATE_LIMIT_PER_MINUTE: String(6 * PER_WINDOW),
  });
});
afterAll(() => closeDatabases());

/** A call that counts its starts and ends when the test says so. */
function heldCalls() {
  let started = 0;
  const held: (() => void)[] = [];
  const wait = () =>
    new Promise<string>((resolve) => {
      started++;
      held.push(() => resolve("ended"));
    });
  return { wait, started: () => started, end: () => held.shift()?.() };
}
let calls = heldCalls();

const testRouter = router({
  slow: staffProcedure("viewer").query(({ ctx }) => ctx.db.sql`select pg_sleep(30)`),
  heavy: staffProcedure("viewer", "heavy").mutation(({ ctx }) => ctx.db.sql`select pg_sleep(3)`),
  held: staffProcedure("viewer").query(() => calls.wait()),
  heldLong: staffProcedure("viewer", "long").mutation(() => calls.wait()),
  change: staffProcedure("viewer").mutation(() => "changed"),
  locked: staffProcedure("viewer").query(({ ctx }) => ctx.db.sql`select pg_advisory_lock_shared(${LOCK})`),
  nothing: staffProcedure("viewer").query(() => "done"),
});

function callerOf(name: string) {
  const replyHeaders = new Headers();
  const caller = createCallerFactory(testRouter)({
    db: consoleDatabase(),
    heavyDb: heavyDatabase(),
    limits: LIMITS,
    requestId: "r",
    authorization: null,
    clientAddress: "console",
    staff: { email: `${name}@example.com`, role: "viewer", sessionId: name },
    replyHeaders,
  });
  return { call: caller, replyHeaders };
}

const problem = (call: Promise<unknown>) => call.then(() => null, toDomainError);
/** Lets everything run that does not wait for the database. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a query that takes too long is stopped, and the error says what to change", async () => {
  const error = await problem(callerOf("slow").call.slow());
  expect(error).toMatchObject({
    code: "query_timeout",
    message: expect.stringMatching(/stopped after 2 s\. Narrow the filters/),
  });
  const [row] = await db.sql<{ running: number }[]>`
    select count(*)::int as running from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(30)%'
      and pid <> pg_backend_pid()`;
  expect(row!.running).toBe(0);
});

test("a heavy call works for longer than any other, on a connection of its own, and its caller waits until it must have ended", async () => {
  expect(await callerOf("heavy").call.heavy()).toHaveLength(1);
  for (const pace of ["quick", "long", "heavy"] as const)
    expect(callerWaitMs(pace)).toBeGreaterThan(consoleSeconds(pace) * 1000);
});

test("a person's line is bounded: what comes when it is full is refused immediately, and another person's call is not", async () => {
  calls = heldCalls();
  // Not through the router, whose quota is lower in this test.
  const call = () => inTurn({ replyHeaders: new Headers() }, "crowd", calls.wait);
  let gaveUp = 0;
  const line = Array.from({ length: RUNNING_MAX + WAITING_MAX }, () => call().catch(() => gaveUp++));
  expect(await problem(call())).toMatchObject({ code: "rate_limited" });
  expect(gaveUp).toBe(0);
  expect(await callerOf("alone").call.nothing()).toBe("done");
  calls.end();
  await settled();
  expect(calls.started()).toBe(2 * RUNNING_MAX);
  while (calls.started() + gaveUp < line.length) {
    calls.end();
    await settled();
  }
  calls.end();
  await Promise.all(line);
});

test("calls over a person's quota get 429 with Retry-After, and other people's do not", async () => {
  const busy = callerOf("counted");
  // All together, because a window may end between two calls.
  const answers = await Promise.all(
    Array.from({ length: 5 * PER_WINDOW }, () => problem(busy.call.nothing())),
  );
  expect(answers.filter((answer) => answer === null).length).toBeGreaterThanOrEqual(PER_WINDOW);
  expect(answers.at(-1)).toMatchObject({
    code: "rate_limited",
    message: expect.stringMatching(
      /^Rate limit exceeded: 10 requests per 10 seconds\. Retry in \d+ seconds?\.$/,
    ),
  });
  expect(Number(busy.replyHeaders.get("Retry-After"))).toBeGreaterThan(0);
  expect(await callerOf("other").call.nothing()).toBe("done");
});

test("when staff use all of the console's connections, the others are still free", async () => {
  const blocker = await db.sql.reserve();
  await blocker`select pg_advisory_lock(${LOCK})`;
  const waiting = ["a", "b", "c", "d", "e", "f"].flatMap((name) =>
    Array.from({ length: RUNNING_MAX }, () => problem(callerOf(name).call.locked())),
  );
  await settled();
  expect(consoleDatabase().work.underWay).toBe(waiting.length);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => database().sql<{ one: number }[]>`select 1 as one`),
  );
  expect(answers).toHaveLength(20);
  // Nothing that waits could have ended before: the lock is still held.
  const sessions = await db.sql`
    select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  expect(sessions.length).toBeLessThanOrEqual(3);
  await blocker`select pg_advisory_unlock(${LOCK})`;
  blocker.release();
  await Promise.all(waiting);
});

test("the cookie of a session may send up to BODY_BYTES_MAX and is not counted by address; once ended, it counts as a stranger's", async () => {
  const { id: staffId } = await newPerson(db, { email: "cookie@example.com", role: "viewer", cameIn: true });
  const sid = (await openSession(db, { staffId, epoch: 0, device: "test", replaces: null }))!;
  const token = await encode({ token: { sid }, secret: process.env.AUTH_SECRET! });
  const call = async () => {
    const url = "http://console.example/api/trpc/console.session.none";
    const headers = { origin: "http://console.example", host: "console.example" };
    const cookie = `theme=dark; next-auth.session-token.0=${token.slice(0, 9)}; next-auth.session-token.1=${token.slice(9)}`;
    const body = JSON.stringify("x".repeat(20_000));
    const type = { "Content-Type": "application/json" };
    return (
      await handleConsole(
        new Request(url, { method: "POST", headers: { ...headers, ...type, cookie }, body }),
      )
    ).status;
  };
  const strangersPerWindow = PER_WINDOW / 10;
  const statuses = await Promise.all(Array.from({ length: strangersPerWindow + 1 }, call));
  expect(new Set(statuses)).toEqual(new Set([404]));
  await endSession(db, sid);
  for (let sent = 0; sent < strangersPerWindow; sent++) expect(await call()).toBe(413);
  expect(await call()).toBe(429);
});
