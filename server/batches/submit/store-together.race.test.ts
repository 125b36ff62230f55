import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { expect, test } from "vitest";
import type { Database } from "@/db/client";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { endLeases } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expectations";
import { batchOf, LIMITS, testContext } from "@/testing/factories";
import { finalizing, interleavings, runInOrder, stepsOf, type Transaction } from "@/testing/races";
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

const batchNamed = (name: string, { x, y }: Contracts) =>
  batchOf(name.startsWith("x") ? x : y, [[1, "2"] as const, [2, "1"] as const], { batchId: name });

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
const reversing = once((own, { x }) =>
  reverseBatch(testContext(own), LIMITS, { contractAddress: x, batchId: "x0", reversalId: randomUUID() }),
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
  ["a group and a finalizer", group("x0", "y1", "x1"), finalizer],
  ["a group and a finalizer that crashes", group("x1", "x0", "y1"), crashingFinalizer],
];
const cases = RACES.flatMap(([name, a, b]) => [
  [name, a("commit"), b] as const,
  [`${name}, the group's process killed before its commit`, a("rollback"), b] as const,
]);

test.each(cases)("%s: every order ends whole, without a deadlock", async (name, a, b) => {
  for (const order of interleavings(stepsOf(a({ x: "", y: "" })), stepsOf(b({ x: "", y: "" })))) {
    const contracts = { x: await newContract(), y: await newContract() };
    await submitBatch(context(), LIMITS, batchNamed("x0", contracts));
    if (name.includes("reversal")) await finalize();
    const ended = await runInOrder(db, order, { a: a(contracts), b: b(contracts) });
    for (const result of [...ended.a.results, ...ended.b.results])
      if (result instanceof Error) expect((result as { code?: string }).code, order).toBe("not_cancellable");
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

/** Runs two groups that both wait for a third transaction in the middle, which then rolls back. @returns their verdicts */
async function throughTheMiddle(block: (tx: Sql) => Promise<unknown>, ...groups: SubmitBatchInput[][]) {
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
  const together = groups.map((batches) =>
    storeTogether(
      batches.map((batch) => ready(db, batch)),
      NO_DEADLOCK_IS_HIDDEN_MS,
    ),
  );
  const waiting = async () => {
    const [row] = await db.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`;
    return row!.count;
  };
  while ((await waiting()) < groups.length) await new Promise((resolve) => setTimeout(resolve, 2));
  letGo();
  await expect(blocker).rejects.toThrow("rolled back");
  return await Promise.all(together);
}

test("groups that meet at an ID in the middle of both take their IDs in one order", async () => {
  const contract = await newContract();
  const batches = ["first", "middle", "last"].map((batchId) => batchOf(contract, [[1, "1"]], { batchId }));
  const verdicts = await throughTheMiddle(
    (tx) => submitBatch(testContext({ ...db, sql: tx }), LIMITS, batches[1]!),
    batches,
    batches.toReversed(),
  );
  expect(verdicts.flat().filter((verdict) => verdict === "stored")).toHaveLength(3);
});

test("groups that meet at an account in the middle of both lock their accounts in one order", async () => {
  const contracts = [await newContract(), await newContract(), await newContract()];
  const groupOf = (order: readonly string[]) =>
    order.map((contract, at) => batchOf(contract, [[1, `${at + 1}`]], { batchId: order.join().slice(-9) }));
  const verdicts = await throughTheMiddle(
    (tx) => tx`select 1 from accounts where address = ${addressToBytes(contracts[1]!)} for update`,
    groupOf(contracts),
    groupOf(contracts.toReversed()),
  );
  expect(verdicts.flat()).toEqual(Array.from({ length: 6 }, () => "stored"));
});
