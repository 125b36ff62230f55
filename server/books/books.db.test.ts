import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabase } from "@/db/client";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { answerCron } from "@/server/host/answer-cron";
import { single } from "@/server/kernel/process";
import { settings } from "@/server/kernel/settings";
import { grantPoints } from "@/server/ledger/issuances";
import { runCheck, storeIncompleteCheck } from "@/server/ledger/run-check";
import type { PointType } from "@/terms/batch-terms";
import { times, withoutTriggers } from "@/testing/factories";
import { daysAgo, firstOf, lastOf, moveBatch, moveContract, moveGrant, noonOf } from "@/testing/move-in-time";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { CHAIN_LOCK, checkChain, closeDay, hashOf, isDayToClose, NO_HASH, readLinks } from "./chain";
import type { ChainLink } from "./schema";

const { db, context, newContract, submit, finalize } = useLedger({
  serves: true,
  poolMax: 10,
  balances: false,
});

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
  runCheck(db, { startedBy: "test", secondsMax: 30, reach });

test.each([
  ["GET", "/v1/books"],
  ["GET", "/v1/books/chain"],
  ["POST", "/v1/books"],
  ["OPTIONS", "/v1/books/chain"],
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

describe("the chain", () => {
  beforeAll(async () => {
    await moveContract(db, contract, noonOf(daysAgo(4)));
    for (const _ of [4, 3, 2]) await closeDay(db);
  });
  const page = async (query: string) => (await get(`/v1/books/chain${query}`)).body;
  const daysOf = ({ links }: { links: { day: string }[] }) => links.map(({ day }) => day);

  test("is listed from its first day, page by page", async () => {
    const first = await page("?limit=2");
    expect([daysOf(first as never), first.nextFrom]).toEqual([[daysAgo(4), daysAgo(3)], daysAgo(2)]);
    const second = await page(`?limit=2&from=${first.nextFrom}`);
    expect([daysOf(second as never), second.nextFrom]).toEqual([[daysAgo(2)], null]);
    expect(await page(`?from=${daysAgo(-1)}`)).toEqual({ success: true, links: [], nextFrom: null });
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

describe("day by day,", () => {
  const DAYS = [5, 4, 3, 2].map(daysAgo) as [string, string, string, string];

  const links = () => readLinks(db.sql, null, 100);

  async function closeAll(): Promise<void> {
    while (await closeDay(db));
  }

  /** Day 1: a grant, and a batch in the last millisecond. Day 2: another batch is cancelled. Day 4: the first is finalized. */
  async function makeHistory() {
    const contractAddress = await newContract({ issuance: "PREFUNDED" });
    await moveContract(db, contractAddress, firstOf(DAYS[0]));
    const issued = { contractAddress, pointType: "PHASE2_POINTS" as const, points: "100.5" };
    await grantPoints(context("ops"), issued);
    await moveGrant(db, contractAddress, noonOf(DAYS[0]));
    const paid = await submit(contractAddress, [
      [1, "10.25"],
      [2, "2"],
    ]);
    const cancelled = await submit(contractAddress, [[1, "5"]], { secondsToFinalize: 3600 });
    await cancelBatch(context(), { contractAddress, batchId: cancelled });
    await finalize();
    await moveBatch(
      db,
      { contractAddress, batchId: paid },
      { createdAt: lastOf(DAYS[0]), finalizedAt: firstOf(DAYS[3]) },
    );
    await moveBatch(
      db,
      { contractAddress, batchId: cancelled },
      { createdAt: firstOf(DAYS[1]), cancelledAt: noonOf(DAYS[1]) },
    );
    return { contractAddress, paid, cancelled };
  }

  const clear = () =>
    withoutTriggers(
      db,
      "delete from ledger_days; delete from batches; delete from batch_transfers; delete from issuances; delete from accounts; delete from contracts",
    );

  beforeEach(clear);

  const nothing = { issued: "0", submitted: "0", cancelled: "0", finalized: "0" };

  test("the chain has one link per day since the first contract, with the totals of the day and the hash of the day before", async () => {
    await makeHistory();
    await closeAll();
    const chain = await links();
    expect(chain.map(({ day }) => day).slice(0, 4)).toEqual(DAYS);
    const points = chain.map(({ totals }) => totals[0]);
    expect(points.slice(0, 4)).toEqual([
      { pointType: "PHASE2_POINTS", ...nothing, issued: "100.5", submitted: "12.25" },
      { pointType: "PHASE2_POINTS", ...nothing, submitted: "5", cancelled: "5" },
      { pointType: "PHASE2_POINTS", ...nothing },
      { pointType: "PHASE2_POINTS", ...nothing, finalized: "12.25" },
    ]);
    for (const [index, link] of chain.entries()) {
      expect(link.totals[1]).toEqual({ pointType: "PHASE2_GOLD", ...nothing });
      expect(link.previousHash).toBe(chain[index - 1]?.hash ?? NO_HASH);
      expect(link.hash).toBe(hashOf(link));
    }
    expect(await checkChain(db)).toMatchObject({ ok: true, first: DAYS[0], hash: chain.at(-1)!.hash });
  });

  test("the chain has no link of a day that is not over, and none of a service without contracts", async () => {
    expect([await isDayToClose(db), await closeDay(db)]).toEqual([false, null]);
    const contract = await newContract();
    expect([await isDayToClose(db), await closeDay(db)]).toEqual([false, null]);
    await moveContract(db, contract, noonOf(daysAgo(2)));
    expect([await isDayToClose(db), await closeDay(db)]).toEqual([true, daysAgo(2)]);
    await closeAll();
    expect(await isDayToClose(db)).toBe(false);
    expect((await links()).map(({ day }) => day)).not.toContain(daysAgo(0));
  });

  test("the chain grows by the same links when several processes write it at the same time", async () => {
    await makeHistory();
    await db.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${CHAIN_LOCK.space}::int, ${CHAIN_LOCK.key}::int)`;
      expect(await closeDay(db)).toBeNull();
    });
    const others = await times(4, async () =>
      createDatabase({ url: db.url, poolMax: 2, timeoutSeconds: 10, pooler: "none" }),
    );
    while (await isDayToClose(db)) await Promise.all(others.map((other) => closeDay(other)));
    await Promise.all(others.map((other) => other.close()));
    const together = await links();
    expect(new Set(together.map(({ day }) => day)).size).toBe(together.length);
    await db.sql`delete from ledger_days`;
    await closeAll();
    expect(await links()).toEqual(together);
  });

  async function findingAfter(change: (of: Awaited<ReturnType<typeof makeHistory>>) => Promise<unknown>) {
    const history = await makeHistory();
    await closeAll();
    expect(await checkChain(db)).toMatchObject({ ok: true });
    await change(history);
    const { ok, finding } = await checkChain(db);
    expect(ok).toBe(false);
    return finding;
  }

  const batchOf = (id: string) => `where id = '${id}'`;

  test.each<[string, (of: Awaited<ReturnType<typeof makeHistory>>) => string, unknown]>([
    [
      "whose amount was changed",
      ({ paid }) => `update batches set points = 13 ${batchOf(paid)}`,
      { day: DAYS[0], detail: "PHASE2_POINTS submitted: 12.25 in the link, 13 in the history" },
    ],
    [
      "that was finalized and moved to another day",
      ({ paid }) => `update batches set finalized_at = '${noonOf(DAYS[2])}' ${batchOf(paid)}`,
      expect.objectContaining({ day: DAYS[2] }),
    ],
  ])("verifying the chain finds a past batch %s", async (_, change, finding) => {
    expect(await findingAfter((of) => withoutTriggers(db, change(of)))).toEqual(finding);
  });

  test("verifying the chain finds points that were issued into a past day, and history from before the first link", async () => {
    const grant = { pointType: "PHASE2_GOLD" as const, points: "7" };
    const into = (day: string) =>
      findingAfter(async ({ contractAddress }) => {
        await grantPoints(context("ops"), { contractAddress, ...grant });
        await moveGrant(db, contractAddress, noonOf(day));
      });
    expect(await into(DAYS[3])).toEqual({
      day: DAYS[3],
      detail: "PHASE2_GOLD issued: 0 in the link, 7 in the history",
    });
    await db.sql`delete from ledger_days`;
    expect(await into(daysAgo(9))).toEqual({
      day: DAYS[0],
      detail: "the history has 7 points issued before the first link",
    });
  });

  const store = ({ day, totals, previousHash, hash }: ChainLink) => db.sql`
    update ledger_days set totals = ${JSON.stringify(totals)}::text::jsonb,
      previous_hash = decode(${previousHash}, 'hex'), hash = decode(${hash}, 'hex') where day = ${day}::date`;

  test("verifying the chain finds a stored link that was changed, without its hash and with it", async () => {
    const alone = await findingAfter(async () => {
      const [, second] = await links();
      second!.totals[0]!.cancelled = "4";
      await store(second!);
    });
    expect(alone).toEqual({ day: DAYS[1], detail: "the stored hash does not match the link" });
    await clear();
    const finding = await findingAfter(async ({ cancelled }) => {
      await withoutTriggers(db, `delete from batches ${batchOf(cancelled)}`);
      const [, second] = await links();
      Object.assign(second!.totals[0]!, { submitted: "0", cancelled: "0" });
      await store({ ...second!, hash: hashOf(second!) });
    });
    expect(finding).toEqual({ day: DAYS[2], detail: "the link does not continue the previous one" });
  });

  test("verifying the chain finds a link that is missing, in the middle or at the beginning", async () => {
    const middle = await findingAfter(() => db.sql`delete from ledger_days where day = ${DAYS[1]}::date`);
    expect(middle).toEqual({ day: DAYS[2], detail: `the link of ${DAYS[1]} is missing` });
    await db.sql`delete from ledger_days where day <= ${DAYS[1]}::date`;
    const { finding } = await checkChain(db);
    expect(finding).toMatchObject({ day: DAYS[2] });
  });

  test("the hashed text of a link is the documented one, and never changes", () => {
    const of = (
      pointType: PointType,
      issued: string,
      submitted: string,
      cancelled: string,
      finalized: string,
    ) => ({ pointType, issued, submitted, cancelled, finalized });
    const totals = [of("PHASE2_POINTS", "10.5", "8", "0.5", "7"), of("PHASE2_GOLD", "0", "0", "0", "0")];
    const hash = hashOf({ day: "2026-01-31", previousHash: NO_HASH, totals });
    expect(hash).toBe("4c12b22953f0ae74a0dd88afe80e261ac2f8a826cde2eccdd7dda8046a0dadae");
  });
});
