import { expect, test } from "vitest";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { useLedger } from "@/testing/use-ledger";
import type { DomainError } from "../../kernel/values/problems";
import { cancelBatch } from "./cancel-batch";

const ROUNDS = 30;
/** On a fast machine, a batch is often stored before the cancel looks it up. */
const ROUNDS_MAX = 300;
const NOT_YET = "batch_not_found ";

const { db, context, newContract, submit } = useLedger();

test("a cancel during a submit never reports the batch as not cancellable while it is PENDING", async () => {
  const contract = await newContract();
  const rows = Array.from({ length: 2000 }, (_, i) => [i + 1, "1"] as const);
  const outcomes: string[] = [];
  for (let round = 0; round < ROUNDS || (!outcomes.includes(NOT_YET) && round < ROUNDS_MAX); round++) {
    const batchId = `b-${round}`;
    let stored = false;
    const storing = submit(contract, rows, { batchId, secondsToFinalize: 3600 }).then(() => {
      stored = true;
    });
    while (!stored) {
      const outcome = await cancelBatch(context(), { contractAddress: contract, batchId }).then(
        () => "cancelled",
        (error: DomainError) => `${error.code} ${error.options.extra?.batchStatus ?? ""}`,
      );
      outcomes.push(outcome);
    }
    await storing;
  }
  expect(outcomes.filter((outcome) => outcome === "not_cancellable PENDING")).toEqual([]);
  expect(outcomes).toContain(NOT_YET);
  await expectLedgerToBalance(db);
});
