import { describe, expect, test } from "vitest";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { batchOf, LIMITS, testContext } from "@/testing/factories";
import { finalizing } from "@/testing/finalizing-steps";
import { setRule } from "@/testing/set-rule";
import { interleavings, runInOrder, stepsOf, type Transaction } from "@/testing/step-by-step";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { approveBatch } from "./change/approve-batch";
import { cancelBatch } from "./change/cancel-batch";
import { rejectBatch } from "./change/reject-batch";
import { findBatch } from "./list/get-batch";
import { submitBatch } from "./submit/submit-batch";

const { db, context, newContract, finalize } = useLedger();

type Ends = Transaction["ends"];
const submitting = (contract: string, points: string, ends: Ends): Transaction[] => [
  {
    ends,
    run: (own) =>
      submitBatch(
        testContext(own),
        LIMITS,
        batchOf(
          contract,
          [
            [1, points],
            [2, "1"],
          ],
          { batchId: "b" },
        ),
      ),
  },
];
const cancelling = (contract: string, ends: Ends): Transaction[] => [
  { ends, run: (own) => cancelBatch(testContext(own), { contractAddress: contract, batchId: "b" }) },
];
const approving = (contract: string, ends: Ends): Transaction[] => [
  {
    ends,
    run: (own) =>
      approveBatch(testContext(own, "staff:ann@example.com"), {
        contractAddress: contract,
        batchId: "b",
        reason: "checked",
      }),
  },
];
const rejecting = (contract: string, ends: Ends): Transaction[] => [
  {
    ends,
    run: (own) =>
      rejectBatch(testContext(own, "staff:bob@example.com"), {
        contractAddress: contract,
        batchId: "b",
        reason: "not ours",
      }),
  },
];

const needApproval = (contract: string) => setRule(db, contract, { threshold: "1" });

const store = (contract: string) =>
  submitBatch(
    context(),
    LIMITS,
    batchOf(
      contract,
      [
        [1, "5"],
        [2, "1"],
      ],
      { batchId: "b" },
    ),
  );
const statusOf = async (contract: string) => (await findBatch(context(), contract, "b")).status;
const codeOf = (result: unknown) => (result as { code?: string }).code;

/** Expires leases left by crashes and finalizes the rest. Every race must end with a balanced ledger and nothing open. */
async function settleDown(): Promise<void> {
  await expectLedgerToBalance(db);
  await db.sql`update batches set lease_until = now() - interval '1 second' where status = 'FINALIZING'`;
  expect(await finalize()).toMatchObject({ failure: null, dueLeft: 0 });
}

interface Race {
  prepared: boolean;
  /** The batch must be approved. */
  ruled?: boolean;
  a(contract: string): Transaction[];
  b(contract: string): Transaction[];
}

const ENDS: Ends[] = ["commit", "rollback"];
const RACES: Record<string, (ends: Ends) => Race> = {
  "submit and the same submit": (ends) => ({
    prepared: false,
    a: (contract) => submitting(contract, "5", ends),
    b: (contract) => submitting(contract, "5", "commit"),
  }),
  "submit and a different submit under the same ID": (ends) => ({
    prepared: false,
    a: (contract) => submitting(contract, "5", ends),
    b: (contract) => submitting(contract, "6", "commit"),
  }),
  "submit and cancel": (ends) => ({
    prepared: false,
    a: (contract) => submitting(contract, "5", ends),
    b: (contract) => cancelling(contract, "commit"),
  }),
  "submit and finalize": (ends) => ({
    prepared: false,
    a: (contract) => submitting(contract, "5", ends),
    b: () => finalizing("commit"),
  }),
  "repeated submit and cancel": (ends) => ({
    prepared: true,
    a: (contract) => submitting(contract, "5", "commit"),
    b: (contract) => cancelling(contract, ends),
  }),
  "cancel and cancel": (ends) => ({
    prepared: true,
    a: (contract) => cancelling(contract, ends),
    b: (contract) => cancelling(contract, "commit"),
  }),
  "cancel and finalize": (ends) => ({
    prepared: true,
    a: (contract) => cancelling(contract, ends),
    b: () => finalizing("commit"),
  }),
  "cancel and crashing finalizer": (ends) => ({
    prepared: true,
    a: (contract) => cancelling(contract, ends),
    b: () => finalizing("rollback"),
  }),
  "approve and approve": (ends) => ({
    prepared: true,
    ruled: true,
    a: (contract) => approving(contract, ends),
    b: (contract) => approving(contract, "commit"),
  }),
  "approve and reject": (ends) => ({
    prepared: true,
    ruled: true,
    a: (contract) => approving(contract, ends),
    b: (contract) => rejecting(contract, "commit"),
  }),
  "approve and cancel": (ends) => ({
    prepared: true,
    ruled: true,
    a: (contract) => approving(contract, ends),
    b: (contract) => cancelling(contract, "commit"),
  }),
  "approve and finalize": (ends) => ({
    prepared: true,
    ruled: true,
    a: (contract) => approving(contract, ends),
    b: () => finalizing("commit"),
  }),
  "reject and finalize": (ends) => ({
    prepared: true,
    ruled: true,
    a: (contract) => rejecting(contract, ends),
    b: () => finalizing("commit"),
  }),
  "finalize and finalize": (ends) => ({
    prepared: true,
    a: () => finalizing(ends),
    b: () => finalizing("commit"),
  }),
};

const cases = Object.entries(RACES).flatMap(([name, make]) =>
  ENDS.map((ends) => [ends === "commit" ? name : `${name}, one rolled back`, make(ends)] as const),
);

describe("every interleaving of two clients", () => {
  test.each(cases)("%s", async (_, race) => {
    const orders = interleavings(stepsOf(race.a("")), stepsOf(race.b("")));
    expect(orders.length).toBeGreaterThanOrEqual(6);
    for (const order of orders) {
      const contract = await newContract();
      if (race.ruled) await needApproval(contract);
      if (race.prepared) await store(contract);
      const { a, b } = await runInOrder(db, order, { a: race.a(contract), b: race.b(contract) });
      const errors = [...a.results, ...b.results].filter((result) => result instanceof Error);
      for (const error of errors) {
        expect(
          ["batch_id_conflict", "batch_cancelled", "not_cancellable", "batch_not_found", "validation_failed"],
          order,
        ).toContain(codeOf(error));
      }
      await settleDown();
      const batches = await db.sql`
        select status, awaits_approval, approved_at from batches
        where contract_address = ${addressToBytes(contract)}`;
      expect(batches.length, order).toBeLessThanOrEqual(1);
      for (const { status, awaits_approval: awaits, approved_at: approved } of batches) {
        expect(awaits ? ["PENDING", "CANCELLED"] : ["FINALIZED", "CANCELLED"], order).toContain(status);
        if (race.ruled && status === "FINALIZED") expect(approved, order).not.toBeNull();
      }
    }
  });

  test("a confirmed cancel is never settled, in any order", async () => {
    const seen = new Set<string>();
    for (const order of interleavings(2, 4)) {
      const contract = await newContract();
      await store(contract);
      const { a } = await runInOrder(db, order, {
        a: cancelling(contract, "commit"),
        b: finalizing("commit"),
      });
      const answered = a.results[0] instanceof Error ? codeOf(a.results[0]) : "cancelled";
      const status = await statusOf(contract);
      seen.add(`${answered} ${status}`);
      await settleDown();
      expect(await statusOf(contract), order).toBe(answered === "cancelled" ? "CANCELLED" : "FINALIZED");
    }
    expect([...seen].sort()).toEqual(["cancelled CANCELLED", "not_cancellable FINALIZED"]);
  });
});
