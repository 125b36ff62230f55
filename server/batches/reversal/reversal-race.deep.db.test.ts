import { describe, expect, test } from "vitest";
import type { Database } from "@/db/client";
import { endLeases } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { batchOf, LIMITS, testContext, wallet } from "@/testing/factories";
import { finalizing } from "@/testing/finalizing-steps";
import { interleavings, runInOrder, stepsOf, type Transaction } from "@/testing/step-by-step";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../../kernel/values/addresses";
import { cancelBatch } from "../change/cancel-batch";
import { submitBatch } from "../submit/submit-batch";
import { reverseBatch } from "./reverse-batch";

const { db, context, newContract, submit, finalize, balance } = useLedger({ poolMax: 20 });

type Ends = Transaction["ends"];
interface World {
  contract: string;
  /** A PREFUNDED contract that the batch `paid` gave 5 points. */
  spender: string;
  /** Wallets that it gave 1 point each. */
  wallets: [string, string, string];
}

let wallets = 0xa000;

async function newWorld(): Promise<World> {
  const [contract, spender] = [await newContract(), await newContract({ issuance: "PREFUNDED" })];
  const paidTo: World["wallets"] = [wallet(wallets++), wallet(wallets++), wallet(wallets++)];
  const rows = [[spender, "5"] as const, ...paidTo.map((to) => [to, "1"] as const)];
  await submit(batchOf(contract, rows, { batchId: "paid" }));
  await finalize();
  return { contract, spender, wallets: paidTo };
}

const reversal = ({ contract }: World, reversalId: string, toAddresses?: string[]) => ({
  contractAddress: contract,
  batchId: "paid",
  reversalId,
  secondsToFinalize: 0,
  ...(toAddresses && { toAddresses }),
});

type Client = (world: World) => Transaction[];
/** A client with one transaction. */
const client =
  (run: (own: Database, world: World) => Promise<unknown>) =>
  (ends: Ends): Client =>
  (world) => [{ ends, run: (own) => run(own, world) }];
/** @param wallets which of the world's wallets it takes from; absent: all recipients */
const reversing = (id: string, wallets?: (0 | 1 | 2)[]) =>
  client((own, world) => {
    const toAddresses = wallets?.map((at) => world.wallets[at]);
    return reverseBatch(testContext(own), LIMITS, reversal(world, id, toAddresses));
  });
const spending = client((own, { spender, wallets: [to] }) =>
  submitBatch(testContext(own), LIMITS, batchOf(spender, [[to, "2"]], { batchId: "s" })),
);
const cancelling = client((own, { contract }) =>
  cancelBatch(testContext(own), { contractAddress: contract, batchId: "first" }),
);
const finalizer =
  (ends: Ends): Client =>
  () =>
    finalizing(ends);

/** What is stored before the race: nothing, a reversal of everything, or a payment to the same recipients. */
type Stored = "nothing" | "a reversal" | "a payment";
const RACES: [name: string, stored: Stored, a: (ends: Ends) => Client, b: Client][] = [
  ["two reversals of the same rows", "nothing", reversing("a"), reversing("b")("commit")],
  [
    "two reversals that share a row, in opposite orders",
    "nothing",
    reversing("a", [0, 1]),
    reversing("b", [2, 1])("commit"),
  ],
  ["the same reversal twice", "nothing", reversing("a"), reversing("a")("commit")],
  ["a reversal and a contract that spends what it got", "nothing", reversing("a"), spending("commit")],
  ["a contract that spends and a reversal", "nothing", spending, reversing("b")("commit")],
  [
    "a reversal and the finalizing of a payment to the same recipients",
    "a payment",
    reversing("a"),
    finalizer("commit"),
  ],
  ["the cancel of a reversal and its finalizing", "a reversal", cancelling, finalizer("commit")],
  ["the cancel of a reversal and a crashing finalizer", "a reversal", cancelling, finalizer("rollback")],
  [
    "the cancel of a reversal and another reversal of its rows",
    "a reversal",
    cancelling,
    reversing("b")("commit"),
  ],
  ["the cancel of a reversal, twice", "a reversal", cancelling, cancelling("commit")],
  [
    "the finalizing of a reversal and another reversal of its rows",
    "a reversal",
    reversing("a"),
    finalizer("commit"),
  ],
];

const cases = RACES.flatMap(([name, stored, a, b]) => [
  [name, stored, a("commit"), b] as const,
  [`${name}, one rolled back`, stored, a("rollback"), b] as const,
]);

/** A constraint ended the test's own transaction, so the verb could not look up the obstacle. */
const REFUSED_IN_TRANSACTION = "25P02";
const REFUSALS = [
  "already_reversed",
  "recipients_short",
  "insufficient_points",
  "not_cancellable",
  "batch_cancelled",
];
const codeOf = (result: unknown) => (result as { code?: string }).code;

/** Every point that the batch paid is with its recipient or back at the contract, and no row was taken back twice. */
async function expectOnce(world: World, order: string): Promise<void> {
  await expectLedgerToBalance(db);
  await endLeases(db);
  expect(await finalize(), order).toMatchObject({ failure: null, dueLeft: 0 });
  await expectLedgerToBalance(db);
  const contract = addressToBytes(world.contract);
  const [taken] = await db.sql<{ rows: number; marks: number; points: string }[]>`
    select coalesce(sum(transfer_count), 0)::int as rows, coalesce(sum(points), 0)::float8::text as points,
      (select count(*)::int from reversed_transfers where contract_address = ${contract}) as marks
    from batches where contract_address = ${contract} and reverses_seq is not null and status = 'FINALIZED'`;
  expect(taken!.rows, order).toBe(taken!.marks);
  expect(taken!.rows, order).toBeLessThanOrEqual(4);
  expect((await balance(world.contract)).receivedCumulative, order).toBe(taken!.points);
}

describe("every interleaving of two clients", () => {
  test.each(cases)("%s", async (_, stored, a, b) => {
    const any: World = { contract: "", spender: "", wallets: ["", "", ""] };
    for (const order of interleavings(stepsOf(a(any)), stepsOf(b(any)))) {
      const world = await newWorld();
      if (stored === "a reversal") await reverseBatch(context(), LIMITS, reversal(world, "first"));
      if (stored === "a payment")
        await submit(
          batchOf(world.contract, [[world.spender, "3"], ...world.wallets.map((to) => [to, "1"] as const)]),
        );
      const ended = await runInOrder(db, order, { a: a(world), b: b(world) });
      for (const result of [...ended.a.results, ...ended.b.results])
        if (result instanceof Error)
          expect([...REFUSALS, REFUSED_IN_TRANSACTION], order).toContain(codeOf(result));
      await expectOnce(world, order);
    }
  });
});
