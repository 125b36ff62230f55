import { describe, expect, test } from "vitest";
import type { Database } from "@/db/client";
import { endLeases } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { batchOf, LIMITS, testContext } from "@/testing/factories";
import { finalizing } from "@/testing/finalizing-steps";
import { setRule } from "@/testing/set-rule";
import { interleavings, runInOrder, stepsOf, type Transaction } from "@/testing/step-by-step";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { approveBatch, rejectBatch } from "./change/approve-batch";
import { cancelBatch } from "./change/cancel-batch";
import { findBatch } from "./list/get-batch";
import { submitBatch } from "./submit/submit-batch";

const { db, context, newContract, finalize } = useLedger();

type Ends = Transaction["ends"];
type Client = (contract: string) => Transaction[];
/** A client with one transaction. */
const client =
  (run: (own: Database, contract: string) => Promise<unknown>) =>
  (ends: Ends): Client =>
  (contract) => [{ ends, run: (own) => run(own, contract) }];

const batch = (contract: string, points = "5") => {
  const rows = [[1, points] as const, [2, "1"] as const];
  return batchOf(contract, rows, { batchId: "b" });
};
const decision = (contract: string) => ({ contractAddress: contract, batchId: "b", reason: "looked at" });
const [ann, bob] = ["staff:ann@example.com", "staff:bob@example.com"];

const submitting = (points: string) =>
  client((own, contract) => submitBatch(testContext(own), LIMITS, batch(contract, points)));
const cancelling = client((own, contract) =>
  cancelBatch(testContext(own), { contractAddress: contract, batchId: "b" }),
);
const approving = client((own, contract) => approveBatch(testContext(own, ann), decision(contract)));
const rejecting = client((own, contract) => rejectBatch(testContext(own, bob), decision(contract)));
const finalizer =
  (ends: Ends): Client =>
  () =>
    finalizing(ends);

const store = (contract: string) => submitBatch(context(), LIMITS, batch(contract));
const statusOf = async (contract: string) => (await findBatch(context(), contract, "b")).status;
const codeOf = (result: unknown) => (result as { code?: string }).code;

/** Expires leases left by crashes and finalizes the rest. Every race must end with a balanced ledger and nothing open. */
async function settleDown(): Promise<void> {
  await expectLedgerToBalance(db);
  await endLeases(db);
  expect(await finalize()).toMatchObject({ failure: null, dueLeft: 0 });
}

/** What is stored before the race. */
type Stored = "nothing" | "a batch" | "a batch that awaits approval";
const RACES: [name: string, stored: Stored, a: (ends: Ends) => Client, b: Client][] = [
  ["submit and the same submit", "nothing", submitting("5"), submitting("5")("commit")],
  ["submit and another submit under its ID", "nothing", submitting("5"), submitting("6")("commit")],
  ["submit and cancel", "nothing", submitting("5"), cancelling("commit")],
  ["submit and finalize", "nothing", submitting("5"), finalizer("commit")],
  ["cancel and repeated submit", "a batch", cancelling, submitting("5")("commit")],
  ["cancel and cancel", "a batch", cancelling, cancelling("commit")],
  ["cancel and finalize", "a batch", cancelling, finalizer("commit")],
  ["cancel and crashing finalizer", "a batch", cancelling, finalizer("rollback")],
  ["finalize and finalize", "a batch", finalizer, finalizer("commit")],
  ["approve and approve", "a batch that awaits approval", approving, approving("commit")],
  ["approve and reject", "a batch that awaits approval", approving, rejecting("commit")],
  ["approve and cancel", "a batch that awaits approval", approving, cancelling("commit")],
  ["approve and finalize", "a batch that awaits approval", approving, finalizer("commit")],
  ["reject and finalize", "a batch that awaits approval", rejecting, finalizer("commit")],
];

const cases = RACES.flatMap(([name, stored, a, b]) => [
  [name, stored, a("commit"), b] as const,
  [`${name}, one rolled back`, stored, a("rollback"), b] as const,
]);

describe("every interleaving of two clients", () => {
  test.each(cases)("%s", async (_, stored, a, b) => {
    const orders = interleavings(stepsOf(a("")), stepsOf(b("")));
    expect(orders.length).toBeGreaterThanOrEqual(6);
    const isRuled = stored === "a batch that awaits approval";
    for (const order of orders) {
      const contract = await newContract();
      if (isRuled) await setRule(db, contract, { threshold: "1" });
      if (stored !== "nothing") await store(contract);
      const ended = await runInOrder(db, order, { a: a(contract), b: b(contract) });
      const errors = [...ended.a.results, ...ended.b.results].filter((result) => result instanceof Error);
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
        if (isRuled && status === "FINALIZED") expect(approved, order).not.toBeNull();
      }
    }
  });

  test("a confirmed cancel is never settled, in any order", async () => {
    const seen = new Set<string>();
    for (const order of interleavings(2, 4)) {
      const contract = await newContract();
      await store(contract);
      const { a } = await runInOrder(db, order, {
        a: cancelling("commit")(contract),
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
