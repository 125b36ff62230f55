import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { single } from "@/server/kernel/process";
import { withoutTriggers } from "@/testing/factories";
import { daysAgo, moveContract, noonOf } from "@/testing/move-in-time";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { answerCron } from "../host/answer-cron";
import { settings } from "../kernel/settings";
import { runCheck, storeIncompleteCheck } from "../ledger/run-check";
import { closeDay } from "./chain";

const { db, newContract, submit, finalize } = useLedger({ serves: true, balances: false });
/** What was read is kept for a minute. */
const forgetBooks = () => single("cached books", () => new Map()).clear();
let contract: string;
beforeAll(async () => {
  contract = await newContract();
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
afterEach(() => void vi.restoreAllMocks());

async function get(path: string, address = "192.0.2.1", method = "GET") {
  const { handleRest } = await import("../rest/handler");
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
  runCheck(db, { startedBy: "test", secondsMax: 30, reach });

describe("without PUBLIC_BOOKS", () => {
  test.each([
    ["GET", "/v1/books"],
    ["GET", "/v1/books/chain"],
    ["POST", "/v1/books"],
    ["OPTIONS", "/v1/books/chain"],
  ])("%s %s is an unknown path", async (method, path) => {
    Object.assign(settings(), { PUBLIC_BOOKS: false, PUBLIC_RATE_LIMIT_PER_MINUTE: 5 });
    const unknown = await get("/v1/nothing", undefined, method);
    const { status, body, headers } = await get(path, undefined, method);
    expect(status).toBe(404);
    expect({ ...body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
    expect(headers.get("ratelimit")).toBeNull();
  });
});

describe("the public books", () => {
  test("have the totals of a check, whole or incremental, which add up per point type", async () => {
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

  test("name no contract and no wallet", async () => {
    await withoutTriggers(db, "update accounts set earned = earned + 1 where earned > 1");
    await check();
    await withoutTriggers(db, "update accounts set earned = earned - 1 where earned > 1");
    const { body } = await get("/v1/books");
    expect(JSON.stringify(body)).not.toMatch(/0x|[0-9a-f]{40}/);
    expect(body.books).toMatchObject({ lastCheck: { result: "NOT_IN_BALANCE" }, inBalanceSince: null });
  });

  test("say since when every check has passed, and how old the last one is", async () => {
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

  test("are read once for all callers of a minute, and again after a failure", async () => {
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

  test("are limited per client address, and apart from the chain", async () => {
    Object.assign(settings(), { PUBLIC_RATE_LIMIT_PER_MINUTE: 2, TRUSTED_PROXY_HOPS: 1 });
    const statuses = async (path: string, address: string) => {
      const found: number[] = [];
      for (let sent = 0; sent < 3; sent++) found.push((await get(path, address)).status);
      return found;
    };
    expect(await statuses("/v1/books", "192.0.2.7")).toEqual([200, 200, 429]);
    expect((await get("/v1/books", "192.0.2.8")).status).toBe(200);
    expect(await statuses("/v1/books/chain", "192.0.2.7")).toEqual([200, 200, 429]);
    const { headers, body } = await get("/v1/books", "192.0.2.7");
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    expect(body).toMatchObject({ code: "rate_limited" });
  });
});

describe("the chain", () => {
  beforeAll(async () => {
    await moveContract(db, contract, noonOf(daysAgo(4)));
    for (const _ of [4, 3, 2]) await closeDay(db);
  });
  const page = async (query: string) => (await get(`/v1/books/chain${query}`)).body;
  const daysOf = ({ links }: { links: { day: string }[] }) => links.map(({ day }) => day);

  test("is listed from its first day, page by page, and refuses other parameters", async () => {
    const first = await page("?limit=2");
    expect([daysOf(first as never), first.nextFrom]).toEqual([[daysAgo(4), daysAgo(3)], daysAgo(2)]);
    const second = await page(`?limit=2&from=${first.nextFrom}`);
    expect([daysOf(second as never), second.nextFrom]).toEqual([[daysAgo(2)], null]);
    expect(await page(`?from=${daysAgo(-1)}`)).toEqual({ success: true, links: [], nextFrom: null });
    for (const query of [
      "?from=2026-02-30",
      "?from=yesterday",
      "?from=",
      "?limit=0",
      "?limit=501",
      "?cursor=x",
    ])
      expect(await get(`/v1/books/chain${query}`), query).toMatchObject({
        status: 400,
        body: { code: "validation_failed" },
      });
  });

  test("grows with the cron route, which catches up on missed days", async () => {
    await db.sql`delete from ledger_days`;
    const call = new Request("http://service.test/api/cron/finalize", {
      headers: { authorization: "Bearer cron-secret-of-this-test" },
    });
    expect((await answerCron(call, "request-1")).status).toBe(200);
    expect(daysOf((await page("")) as never).slice(0, 3)).toEqual([daysAgo(4), daysAgo(3), daysAgo(2)]);
  });
});
