import { beforeAll, beforeEach, expect, test } from "vitest";
import { single } from "@/server/kernel/process";
import { settings } from "@/server/kernel/settings";
import { runCheck, storeIncompleteCheck } from "@/server/ledger/run-check";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";

const { db, newContract, submit, finalize } = useLedger({ serves: true });

/** What was read is kept for a minute. */
const forgetBooks = () => single("cached books", () => new Map()).clear();

beforeAll(async () => {
  const contract = await newContract();
  await submit(contract, [
    [1, "10.5"],
    [2, "2"],
  ]);
  await submit(contract, [[1, "0.000001"]], { pointType: "PHASE2_GOLD", secondsToFinalize: 3600 });
  await finalize();
});

beforeEach(async () => {
  Object.assign(settings(), { PUBLIC_BOOKS: true, PUBLIC_RATE_LIMIT_PER_MINUTE: 0 });
  forgetBooks();
  await db.sql`truncate ledger_checks`;
});

async function get(path: string, address = "192.0.2.1", method = "GET") {
  const { handleRest } = await import("@/server/rest/handler");
  const headers = [["X-Forwarded-For", address]] as const;
  const reply = await handleRest(toRestRequest({ method, path, headers, body: [] }));
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as Record<string, never>,
  };
}

const booksOf = async () => (await get("/v1/books")).body.books as unknown as Record<string, unknown>;

const rfc3339 = (instant: string) =>
  db.sql.unsafe(`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

const check = (reach: "whole" | "incremental" = "whole") =>
  runCheck(db, { startedBy: "test", secondsMax: 30, checks: {}, reach });

test.each([
  ["GET", "/v1/books"],
  ["POST", "/v1/books"],
  ["OPTIONS", "/v1/books"],
])("without PUBLIC_BOOKS %s %s is an unknown path", async (method, path) => {
  Object.assign(settings(), { PUBLIC_BOOKS: false, PUBLIC_RATE_LIMIT_PER_MINUTE: 5 });
  const unknown = await get("/v1/nothing", undefined, method);
  const { status, body, headers } = await get(path, undefined, method);
  expect(status).toBe(404);
  const own = { requestId: "", instance: "" };
  expect({ ...body, ...own }).toEqual({ ...unknown.body, ...own });
  expect(headers.get("ratelimit")).toBeNull();
});

test("the public books have the totals of a check, whole or incremental, which add up per point type", async () => {
  const nothing = { available: "0", pending: "0", sent: "0", credited: "0" };
  for (const reach of ["whole", "incremental"] as const) {
    await check(reach);
    forgetBooks();
    const [stored] = await db.sql<{ started: string; finished: string }[]>`
        select ${rfc3339("started_at")} as started, ${rfc3339("finished_at")} as finished from ledger_checks order by id desc limit 1`;
    const { started: startedAt, finished: finishedAt } = stored!;
    const points = { issued: "12.5", available: "12.5", sent: "12.5", credited: "12.5" };
    expect(await booksOf()).toMatchObject({
      totals: [
        { ...nothing, pointType: "PHASE2_POINTS", ...points },
        { ...nothing, pointType: "PHASE2_GOLD", issued: "0.000001", pending: "0.000001" },
      ],
      // Two of the contract, and one of each recipient.
      accounts: 4,
      totalsAt: startedAt,
      lastCheck: { result: "IN_BALANCE", reach: reach.toUpperCase(), startedAt, finishedAt },
    });
  }
});

test("the public books say since when every check has passed, and how old the last one is", async () => {
  await db.sql`
      insert into ledger_checks (started_by, started_at, finished_at, is_ok, batches, transfers, accounts, findings)
      select 'test', now() - hours * interval '1 hour', now() - hours * interval '1 hour', rule is null, 0, 0, 0,
        case when rule is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('rule', rule)) end
      from (values (9, null), (8, 'sums_balance'), (7, null), (6, 'check_completed'), (5, null)) as given (hours, rule)`;
  const [since] = await db.sql<{ at: string }[]>`
      select ${rfc3339("min(finished_at)")} as at from ledger_checks where finished_at > now() - interval '7.5 hours'`;
  const books = await booksOf();
  expect(books).toMatchObject({ inBalanceSince: since!.at, lastCheck: { result: "IN_BALANCE" } });
  const { ageSeconds } = books.lastCheck as { ageSeconds: number };
  expect(ageSeconds).toBeGreaterThanOrEqual(5 * 3600);
});

test("the public books are read once for all callers of a minute, and again after a failure", async () => {
  const before = await booksOf();
  expect(before).toMatchObject({
    totals: [],
    accounts: 0,
    totalsAt: null,
    totalsAgeSeconds: null,
    lastCheck: null,
    inBalanceSince: null,
  });
  await check();
  const replies = await Promise.all([booksOf(), booksOf(), booksOf()]);
  for (const reply of replies) expect(reply).toEqual(before);
  forgetBooks();
  await db.sql`alter table ledger_checks rename to ledger_checks_away`;
  expect((await get("/v1/books")).status).toBe(500);
  await db.sql`alter table ledger_checks_away rename to ledger_checks`;
  expect(await booksOf()).toMatchObject({ accounts: 4 });
  await storeIncompleteCheck(db, "test", new Date(), "The check took longer than 1 s.");
  forgetBooks();
  // The totals are those of the last check that completed.
  expect(await booksOf()).toMatchObject({
    accounts: 4,
    lastCheck: { result: "INCOMPLETE" },
    inBalanceSince: expect.any(String),
  });
});
