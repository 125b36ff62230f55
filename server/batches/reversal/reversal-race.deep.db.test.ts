import { describe, expect, test } from "vitest";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { batchOf, LIMITS, testContext, times, wallet } from "@/testing/factories";
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
const reversing = (world: World, ends: Ends, id: string, toAddresses?: string[]): Transaction[] => [
  { ends, run: (own) => reverseBatch(testContext(own), LIMITS, reversal(world, id, toAddresses)) },
];
const spending = ({ spender, wallets: [to] }: World, ends: Ends): Transaction[] => [
  {
    ends,
    run: (own) => submitBatch(testContext(own), LIMITS, batchOf(spender, [[to, "2"]], { batchId: "s" })),
  },
];
const cancelling = ({ contract }: World, ends: Ends, batchId: string): Transaction[] => [
  { ends, run: (own) => cancelBatch(testContext(own), { contractAddress: contract, batchId }) },
];

interface Race {
  /** Stored before the race: a reversal of everything. */
  prepared?: true;
  /** Stored before the race: a payment to the same recipients. */
  pays?: true;
  a(world: World): Transaction[];
  b(world: World): Transaction[];
}

const RACES: Record<string, (ends: Ends) => Race> = {
  "two reversals of the same rows": (ends) => ({
    a: (world) => reversing(world, ends, "a"),
    b: (world) => reversing(world, "commit", "b"),
  }),
  "two reversals that share a row, in opposite orders": (ends) => ({
    a: (world) => reversing(world, ends, "a", [world.wallets[0], world.wallets[1]]),
    b: (world) => reversing(world, "commit", "b", [world.wallets[2], world.wallets[1]]),
  }),
  "the same reversal twice": (ends) => ({
    a: (world) => reversing(world, ends, "a"),
    b: (world) => reversing(world, "commit", "a"),
  }),
  "a reversal and a contract that spends what it got": (ends) => ({
    a: (world) => reversing(world, ends, "a"),
    b: (world) => spending(world, "commit"),
  }),
  "a contract that spends and a reversal": (ends) => ({
    a: (world) => spending(world, ends),
    b: (world) => reversing(world, "commit", "b"),
  }),
  "a reversal and the finalizing of a payment to the same recipients": (ends) => ({
    pays: true,
    a: (world) => reversing(world, ends, "a"),
    b: () => finalizing("commit"),
  }),
  "the cancel of a reversal and its finalizing": (ends) => ({
    prepared: true,
    a: (world) => cancelling(world, ends, "first"),
    b: () => finalizing("commit"),
  }),
  "the cancel of a reversal and a crashing finalizer": (ends) => ({
    prepared: true,
    a: (world) => cancelling(world, ends, "first"),
    b: () => finalizing("rollback"),
  }),
  "the cancel of a reversal and another reversal of its rows": (ends) => ({
    prepared: true,
    a: (world) => cancelling(world, ends, "first"),
    b: (world) => reversing(world, "commit", "b"),
  }),
  "the cancel of a reversal, twice": (ends) => ({
    prepared: true,
    a: (world) => cancelling(world, ends, "first"),
    b: (world) => cancelling(world, "commit", "first"),
  }),
  "the finalizing of a reversal and another reversal of its rows": (ends) => ({
    prepared: true,
    a: (world) => reversing(world, ends, "a"),
    b: () => finalizing("commit"),
  }),
};

const cases = Object.entries(RACES).flatMap(([name, make]) =>
  (["commit", "rollback"] as const).map(
    (ends) => [ends === "commit" ? name : `${name}, one rolled back`, make(ends)] as const,
  ),
);

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
  await db.sql`update batches set lease_until = now() - interval '1 second' where status = 'FINALIZING'`;
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
  test.each(cases)("%s", async (_, race) => {
    const any: World = { contract: "", spender: "", wallets: ["", "", ""] };
    const orders = interleavings(stepsOf(race.a(any)), stepsOf(race.b(any)));
    for (const order of orders) {
      const world = await newWorld();
      if (race.prepared) await reverseBatch(context(), LIMITS, reversal(world, "first"));
      if (race.pays)
        await submit(
          batchOf(world.contract, [[world.spender, "3"], ...world.wallets.map((to) => [to, "1"] as const)]),
        );
      const { a, b } = await runInOrder(db, order, { a: race.a(world), b: race.b(world) });
      for (const result of [...a.results, ...b.results])
        if (result instanceof Error)
          expect([...REFUSALS, REFUSED_IN_TRANSACTION], order).toContain(codeOf(result));
      await expectOnce(world, order);
    }
  });
});

test("a crowd of reversals, cancels, payments, spenders and finalizers ends without a deadlock, and each row is taken back at most once", async () => {
  const spenders = await times(3, () => newContract({ issuance: "PREFUNDED" }));
  const contracts = await times(3, () => newContract());
  const to = [...spenders, ...Array.from({ length: 30 }, (_, n) => wallet(0xb000 + n))];
  for (const contract of contracts)
    await submit(
      batchOf(
        contract,
        to.map((each) => [each, "2"] as const),
        { batchId: "paid" },
      ),
    );
  await finalize();
  const codes = new Map<string, number>();
  const count = (code: string) => codes.set(code, (codes.get(code) ?? 0) + 1);
  const attempt = (run: Promise<unknown>) =>
    run.then(
      () => count("done"),
      (error: { code?: string }) => count(error.code ?? String(error)),
    );
  await times(120, async (n) => {
    const contract = contracts[n % 3]!;
    const some = to.filter((_, place) => (place * 7 + n * 5) % 11 < 3);
    const chosen = n % 2 === 0 ? some : some.reverse();
    const id = `back-${n}`;
    if (n % 10 === 9) return await attempt(finalize());
    if (n % 10 === 8) return await attempt(submit(batchOf(spenders[n % 3]!, [[contract, "0.5"]])));
    if (n % 10 === 7)
      return await attempt(
        submit(
          batchOf(
            contract,
            to.map((each) => [each, "1"] as const),
          ),
        ),
      );
    const input = { contractAddress: contract, batchId: "paid", reversalId: id, toAddresses: chosen };
    await attempt(reverseBatch(context(), LIMITS, { ...input, secondsToFinalize: n % 4 === 0 ? 0 : 3600 }));
    if (n % 3 === 0) await attempt(cancelBatch(context(), { contractAddress: contract, batchId: id }));
  });
  for (const code of codes.keys()) expect([...REFUSALS, "done", "batch_not_found"]).toContain(code);
  expect(codes.get("done")).toBeGreaterThan(10);
  await finalize();
});
