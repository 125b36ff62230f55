import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { grantPoints } from "@/server/ledger/issuances";
import { times, withoutTriggers } from "@/testing/factories";
import { daysAgo, firstOf, lastOf, moveBatch, moveContract, moveGrant, noonOf } from "@/testing/move-in-time";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import {
  CHAIN_LOCK,
  checkChain,
  closeDay,
  hashOf,
  isDayToClose,
  type Link,
  NO_HASH,
  readLinks,
} from "./chain";

const { db, context, newContract, submit, finalize } = useLedger({ poolMax: 10, balances: false });

const DAYS = [5, 4, 3, 2].map(daysAgo) as [string, string, string, string];
const YESTERDAY = daysAgo(1);
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

describe("the chain", () => {
  test("has one link per day since the first contract, with the totals of the day and the hash of the day before", async () => {
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

  test("has no link of a day that is not over, and none of a service without contracts", async () => {
    expect([await isDayToClose(db), await closeDay(db)]).toEqual([false, null]);
    const contract = await newContract();
    expect([await isDayToClose(db), await closeDay(db)]).toEqual([false, null]);
    await moveContract(db, contract, noonOf(daysAgo(2)));
    expect([await isDayToClose(db), await closeDay(db)]).toEqual([true, daysAgo(2)]);
    await closeAll();
    expect(await isDayToClose(db)).toBe(false);
    expect((await links()).map(({ day }) => day)).not.toContain(daysAgo(0));
  });

  test("grows by the same links when several processes write it at the same time", async () => {
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

  test("is not changed by what happens later", async () => {
    const { contractAddress } = await makeHistory();
    const pending = await submit(contractAddress, [[3, "1"]], { secondsToFinalize: 3600 });
    await moveBatch(db, { contractAddress, batchId: pending }, { createdAt: noonOf(DAYS[2]) });
    await closeAll();
    const before = await links();
    await cancelBatch(context(), { contractAddress, batchId: pending });
    await submit(contractAddress, [[4, "1"]]);
    await finalize();
    expect(await links()).toEqual(before);
    expect(await checkChain(db)).toMatchObject({ ok: true, days: before.length });
  });
});

describe("verifying the chain finds", () => {
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
  ])("a past batch %s", async (_, change, finding) => {
    expect(await findingAfter((of) => withoutTriggers(db, change(of)))).toEqual(finding);
  });

  test("points that were issued into a past day, and history from before the first link", async () => {
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

  const store = ({ day, totals, previousHash, hash }: Link) => db.sql`
    update ledger_days set totals = ${JSON.stringify(totals)}::text::jsonb,
      previous_hash = decode(${previousHash}, 'hex'), hash = decode(${hash}, 'hex') where day = ${day}::date`;

  test("a stored link that was changed, without its hash and with it", async () => {
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

  test("a link that is missing, in the middle or at the beginning", async () => {
    const middle = await findingAfter(() => db.sql`delete from ledger_days where day = ${DAYS[1]}::date`);
    expect(middle).toEqual({ day: DAYS[2], detail: `the link of ${DAYS[1]} is missing` });
    await db.sql`delete from ledger_days where day <= ${DAYS[1]}::date`;
    const { finding } = await checkChain(db);
    expect(finding).toMatchObject({ day: DAYS[2] });
  });
});

test("a chain of many weeks is checked to its end", async () => {
  const contract = await newContract();
  await moveContract(db, contract, noonOf(daysAgo(70)));
  await closeAll();
  const report = await checkChain(db);
  expect(report).toMatchObject({ ok: true, first: daysAgo(70) });
  expect([YESTERDAY, daysAgo(2)]).toContain(report.last);
  expect(report.days).toBeGreaterThanOrEqual(69);
});

test("the hashed text of a link is the documented one, and never changes", () => {
  const totals = [
    { pointType: "PHASE2_POINTS", issued: "10.5", submitted: "8", cancelled: "0.5", finalized: "7" } as const,
    { pointType: "PHASE2_GOLD", issued: "0", submitted: "0", cancelled: "0", finalized: "0" } as const,
  ];
  const text = [
    "day 2026-01-31",
    `previous ${NO_HASH}`,
    "PHASE2_POINTS issued 10.5 submitted 8 cancelled 0.5 finalized 7",
    "PHASE2_GOLD issued 0 submitted 0 cancelled 0 finalized 0",
  ].join("\n");
  const hash = hashOf({ day: "2026-01-31", previousHash: NO_HASH, totals });
  expect(hash).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
  expect(hash).toBe("4c12b22953f0ae74a0dd88afe80e261ac2f8a826cde2eccdd7dda8046a0dadae");
});
