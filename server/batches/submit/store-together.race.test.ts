import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/values/addresses";
import { endLeases } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expectations";
import { batchOf, LIMITS, testContext } from "@/testing/factories";
import { finalizing, interleavings, runInOrder, stepsOf, type Transaction } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../change/cancel-batch";
import { reverseBatch } from "../reversal/reverse-batch";
import { prepareBatch } from "./digest";
import { storeTogether } from "./store-together";
import { submitBatch } from "./submit-batch";

const { db, context, newContract, finalize } = useLedger();

type Contracts = { x: string; y: string };
type Ends = Transaction["ends"];
type Client = (contracts: Contracts) => Transaction[];

const batchNamed = (name: string, { x, y }: Contracts) =>
  batchOf(name.startsWith("x") ? x : y, [[1, "2"] as const, [2, "1"] as const], { batchId: name });

/** Stores batches together, as one process does. @param names `x1` is a batch of the contract x */
const group =
  (...names: string[]) =>
  (ends: Ends): Client =>
  (contracts) => [
    {
      ends,
      run: (own) =>
        storeTogether(
          names.map((name) => {
            const input = batchNamed(name, contracts);
            const batch = prepareBatch(input, LIMITS);
            return {
              ctx: testContext(own),
              input,
              batchId: name,
              batch,
              storeAlone: () => Promise.resolve(false),
            };
          }),
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

/** The group gave up, so its batches are then sent alone. Only a group waits that shortly. */
const GAVE_UP = "55P03";

test.each(cases)(
  "%s: every order ends whole, and no other transaction is rolled back",
  async (name, a, b) => {
    for (const order of interleavings(stepsOf(a({ x: "", y: "" })), stepsOf(b({ x: "", y: "" })))) {
      const contracts = { x: await newContract(), y: await newContract() };
      await submitBatch(context(), LIMITS, batchNamed("x0", contracts));
      if (name.includes("reversal")) await finalize();
      const ended = await runInOrder(db, order, { a: a(contracts), b: b(contracts) });
      for (const result of [...ended.a.results, ...ended.b.results])
        if (result instanceof Error)
          expect(["not_cancellable", GAVE_UP], order).toContain((result as { code?: string }).code);
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
  },
);
