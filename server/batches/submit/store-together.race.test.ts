import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { listBatches } from "@/server/batches/list/list-batches";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { isDistributed } from "@/server/kernel/shards";
import { endLeases } from "@/testing/catch-up";
import { answerStatement } from "@/testing/changed-statements";
import { expectLedgerToBalance } from "@/testing/expectations";
import { batchOf, LIMITS, setRule, testContext, times } from "@/testing/factories";
import {
  finalizing,
  interleavings,
  lockAccount,
  runInOrder,
  stepsOf,
  type Transaction,
  untilBlocked,
} from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { prepareBatch } from "./digest";
import { storeTogether } from "./store-together";
import { submitBatch } from "./submit-batch";
import type { ReadyBatch } from "./submit-line";
import type { SubmitBatchInput } from "./submit-schema";

const { db, context, newContract, finalize } = useLedger();

type Contracts = { x: string; y: string };
type Ends = Transaction["ends"];
type Client = (contracts: Contracts) => Transaction[];

/** Each contract also pays the other, so that finalizers and reversals write accounts that a group locks. */
const batchNamed = (name: string, { x, y }: Contracts) => {
  const [own, other] = name.startsWith("x") ? [x, y] : [y, x];
  return batchOf(own, [[other, "2"] as const, [2, "1"] as const], { batchId: name });
};

const ready = (own: Database, input: SubmitBatchInput): ReadyBatch => ({
  ctx: testContext(own),
  input,
  batchId: input.batchId!,
  batch: prepareBatch(input, LIMITS),
  storeAlone: () => Promise.resolve(false),
});

/** Longer than Postgres takes to find a deadlock. */
const NO_DEADLOCK_IS_HIDDEN_MS = 20_000;

/** Stores batches together, as one process does. @param names `x1` is a batch of the contract x */
const group =
  (...names: string[]) =>
  (ends: Ends): Client =>
  (contracts) => [
    {
      ends,
      run: (own) =>
        storeTogether(
          names.map((name) => ready(own, batchNamed(name, contracts))),
          NO_DEADLOCK_IS_HIDDEN_MS,
        ),
    },
  ];
const once =
  (run: (own: Database, contracts: Contracts) => Promise<unknown>): Client =>
  (contracts) => [{ ends: "commit", run: (own) => run(own, contracts) }];
const submitting = (name: string) =>
  once((own, contracts) => submitBatch(testContext(own), LIMITS, batchNamed(name, contracts)));
const cancelling = once((own, { x }) => cancelBatch(testContext(own), { contractAddress: x, batchId: "x0" }));
const reverse = (own: Database, { x }: Contracts, reversalId: string) =>
  reverseBatch(testContext(own), LIMITS, { contractAddress: x, batchId: "x0", reversalId });
const reversing = once((own, contracts) => reverse(own, contracts, randomUUID()));
const cancellingReversal = once((own, { x }) =>
  cancelBatch(testContext(own), { contractAddress: x, batchId: "r0" }),
);
const finalizer: Client = () => finalizing("commit");
const crashingFinalizer: Client = () => finalizing("rollback");

const RACES: [name: string, a: (ends: Ends) => Client, b: Client][] = [
  ["two groups over the same accounts in both orders", group("x1", "y1"), group("y2", "x2")("commit")],
  ["two groups with the same IDs in both orders", group("x1", "x2", "y1"), group("y1", "x2", "x1")("commit")],
  ["a group and a submit of one of its IDs", group("y1", "x1"), submitting("x1")],
  ["a group and a submit of one of its accounts", group("x1", "y1"), submitting("y2")],
  ["a group and the cancel of a batch that it repeats", group("y1", "x0"), cancelling],
  ["a group and the reversal of a batch that it repeats", group("x0", "x1"), reversing],
  ["a group and the reversal of a batch that paid its contract", group("y1", "x1"), reversing],
  ["a group and the cancel of a reversal from its contract", group("y1", "x1"), cancellingReversal],
  ["a group and a finalizer", group("x0", "y1", "x1"), finalizer],
  ["a group and a finalizer that crashes", group("x1", "x0", "y1"), crashingFinalizer],
];
/** 25P02: the recipient has spent what a reversal takes back, which ended the client's transaction. */
const REFUSED = ["not_cancellable", "25P02"];
const cases = RACES.flatMap(([name, a, b]) => [
  [name, a("commit"), b] as const,
  [`${name}, the group's process killed before its commit`, a("rollback"), b] as const,
]);

test.each(cases)("%s: every order ends whole, without a deadlock", async (name, a, b) => {
  for (const order of interleavings(stepsOf(a({ x: "", y: "" })), stepsOf(b({ x: "", y: "" })))) {
    const contracts = { x: await newContract(), y: await newContract() };
    await submitBatch(context(), LIMITS, batchNamed("x0", contracts));
    if (name.includes("reversal")) await finalize();
    if (name.includes("cancel of a reversal")) await reverse(db, contracts, "r0");
    const ended = await runInOrder(db, order, { a: a(contracts), b: b(contracts) });
    for (const result of [...ended.a.results, ...ended.b.results])
      if (result instanceof Error) expect(REFUSED, order).toContain((result as { code?: string }).code);
    await expectLedgerToBalance(db);
    const stored = await db.sql<{ id: string }[]>`
      select id from batches where contract_address in ${db.sql(Object.values(contracts).map(addressToBytes))}`;
    const ids = stored.map(({ id }) => id);
    expect(new Set(ids).size, order).toBe(ids.length);
    const [verdicts] = ended.a.results;
    if (Array.isArray(verdicts) && !name.includes("killed"))
      expect(ids.length, order).toBeGreaterThan(verdicts.filter((verdict) => verdict === "stored").length);
    await endLeases(db);
    expect(await finalize()).toMatchObject({ failure: null, dueLeft: 0 });
  }
});

/** Runs clients that all wait for another transaction, which then rolls back. @returns their results */
async function throughTheMiddle<Result>(
  block: (tx: Sql) => Promise<unknown>,
  ...clients: (() => Promise<Result>)[]
): Promise<Result[]> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isBlocked = () => {};
  const blocked = new Promise<void>((resolve) => {
    isBlocked = resolve;
  });
  const blocker = db.sql.begin(async (tx) => {
    await block(tx as unknown as Sql);
    isBlocked();
    await held;
    throw new Error("rolled back");
  });
  await blocked;
  const results = clients.map((run) => run());
  const waiting = async () => {
    const [row] = await db.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`;
    return row!.count;
  };
  while ((await waiting()) < clients.length) await new Promise((resolve) => setTimeout(resolve, 2));
  letGo();
  await expect(blocker).rejects.toThrow("rolled back");
  return await Promise.all(results);
}

const storing = (batches: readonly SubmitBatchInput[]) => () =>
  storeTogether(
    batches.map((batch) => ready(db, batch)),
    NO_DEADLOCK_IS_HIDDEN_MS,
  );

test("an ascending reader waits for a group that is under way, whatever is committed after it", async () => {
  const contracts = [await newContract(), await newContract()] as [string, string];
  // It waits at the first account, so it has not locked the second one.
  const [first, second] = contracts;
  const release = await lockAccount(db, first);
  const batchesOf = (contract: string, ...ids: string[]) =>
    ids.map((batchId) => batchOf(contract, [[1, "1"]], { batchId }));
  const slow = storeTogether(
    [...batchesOf(second, "a"), ...batchesOf(first, "b"), ...batchesOf(second, "c")].map((batch) =>
      ready(db, batch),
    ),
    NO_DEADLOCK_IS_HIDDEN_MS,
  );
  await untilBlocked(db);
  await storeTogether(batchesOf(second, "d", "e").map((batch) => ready(db, batch)));
  const query = { contractAddress: second, sort: "ASC" as const, limit: 1 };
  const before = await listBatches(context(), query);
  await release();
  await slow;
  // A reader sees what was created before the current millisecond.
  await new Promise((resolve) => setTimeout(resolve, 2));
  const shown = before.rows.map(({ id }) => id);
  for (let cursor = before.cursor ?? undefined; shown.length < 5; ) {
    const page = await listBatches(context(), { ...query, cursor });
    shown.push(...page.rows.map(({ id }) => id));
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  expect(shown).toEqual(["a", "c", "d", "e"]);
});

test("a day's sum is exact beside groups of two processes, cancels and a finalizer", async () => {
  const [first, ruled, ...others] = await times(4, () => newContract());
  await setRule(db, ruled!, { dayThreshold: "10" });
  let groups = 0;
  const processes = ["a", "b"].map(() => {
    const pool = createDatabase({ url: db.url, poolMax: 5, timeoutSeconds: 30, pooler: "none" });
    return answerStatement(pool, "locked_time", (ask) => {
      groups++;
      return ask();
    });
  });
  // Asked before, so that all batches arrive while the first is being stored.
  for (const own of processes) await isDistributed(own);
  const send = (own: Database, contract: string, batchId: string) =>
    submitBatch(testContext(own), LIMITS, batchOf(contract, [[1, "4"]], { batchId }));
  // However long the first one takes, the others wait for it together.
  const firsts = processes.map((own, at) => send(own, first!, `${at}`));
  await times(24, async (at) => {
    const own = processes[at % 2]!;
    const [other, batchId] = [others[at % 2]!, `${at}`];
    const counted = send(own, ruled!, batchId);
    await send(own, other, batchId);
    if (at % 4 === 0)
      await cancelBatch(testContext(own), { contractAddress: other, batchId }).catch(({ code }) =>
        expect(code).toBe("not_cancellable"),
      );
    if (at % 8 === 0) await finalize();
    await counted;
  });
  await Promise.all(firsts);
  for (const own of processes) await own.close();
  const [row] = await db.sql`
    select r.day_points::float8 as points, count(*)::int as stored,
      count(*) filter (where b.approval_need is null)::int as passed,
      count(*) filter (where b.approval_need = 'DAY' and b.awaits_approval)::int as awaiting
    from approval_rules r join batches b using (contract_address)
    where r.contract_address = ${addressToBytes(ruled!)} group by r.day_points`;
  expect(row).toEqual({ points: 8, stored: 24, passed: 2, awaiting: 22 });
  expect(groups).toBeGreaterThan(1);
});

test("groups that meet at an ID in the middle of both take their IDs in one order", async () => {
  const contract = await newContract();
  const batches = ["first", "middle", "last"].map((batchId) => batchOf(contract, [[1, "1"]], { batchId }));
  const verdicts = await throughTheMiddle(
    (tx) => submitBatch(testContext({ ...db, sql: tx }), LIMITS, batches[1]!),
    storing(batches),
    storing(batches.toReversed()),
  );
  expect(verdicts.flat().filter((verdict) => verdict === "stored")).toHaveLength(3);
});

test("groups that meet at an account in the middle of both lock their accounts in one order", async () => {
  const contracts = [await newContract(), await newContract(), await newContract()];
  const groupOf = (order: readonly string[]) =>
    order.map((contract, at) => batchOf(contract, [[1, `${at + 1}`]], { batchId: order.join().slice(-9) }));
  const verdicts = await throughTheMiddle(
    (tx) => tx`select 1 from accounts where address = ${addressToBytes(contracts[1]!)} for update`,
    storing(groupOf(contracts)),
    storing(groupOf(contracts.toReversed())),
  );
  expect(verdicts.flat()).toEqual(Array.from({ length: 6 }, () => "stored"));
});

/** Who else locks the accounts of several contracts, because of a batch that pays them. */
const OTHERS: [
  name: string,
  before: (contract: string) => Promise<unknown>,
  run: (contract: string) => Promise<unknown>,
][] = [
  ["a finalizer", async () => {}, () => finalize()],
  ["a reversal", () => finalize(), (x) => reverse(db, { x, y: "" }, "r")],
  [
    "the cancel of a reversal",
    async (x) => {
      await finalize();
      await reverse(db, { x, y: "" }, "r");
    },
    (x) => cancelBatch(context(), { contractAddress: x, batchId: "r" }),
  ],
];

test.each(OTHERS)(
  "a group and %s that meet at an account lock their accounts in one order",
  async (_, before, run) => {
    const payer = await newContract();
    const contracts = [await newContract(), await newContract(), await newContract()];
    const rowsOf = (points: string) => contracts.map((to) => [to, points] as const);
    await submitBatch(context(), LIMITS, batchOf(payer, rowsOf("50"), { batchId: "funds" }));
    await finalize();
    await submitBatch(context(), LIMITS, batchOf(payer, rowsOf("1"), { batchId: "x0" }));
    await before(payer);
    const [verdicts] = await throughTheMiddle<unknown>(
      (tx) => tx`select 1 from accounts where address = ${addressToBytes(contracts[1]!)} for update`,
      storing(contracts.toReversed().map((contract) => batchOf(contract, [[1, "1"]], { batchId: "own" }))),
      () => run(payer),
    );
    expect(verdicts).toEqual(["stored", "stored", "stored"]);
    await expectLedgerToBalance(db);
  },
);
