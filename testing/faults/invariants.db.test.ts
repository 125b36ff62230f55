import { expect, test } from "vitest";
import { batchOf, withoutTriggers } from "../factories";
import { useLedger } from "../use-ledger";
import { AnswerRecord, digestOf, expectAllFinalized, FaultRun, keyOf, readInvariants } from "./fault-run";

process.env.LOG_LEVEL = "silent";

const { db, useContract, submit, finalize } = useLedger({ balances: false });
const contract = useContract();
const digest = (points: string) => digestOf(contract, batchOf(contract, [[0x51, points]]));

/** The violations of a record. */
async function violations(change: (record: AnswerRecord) => void): Promise<string[]> {
  const tally = new FaultRun();
  const record = new AnswerRecord();
  change(record);
  await readInvariants(db, record, tally);
  expect(tally.reads).toBe(1);
  return tally.violations.map((words) => words.replace(/0x[0-9a-f]+\//, ""));
}

test("the fault tests find what is lost, changed, left due, finalized despite a cancel, or out of balance", async () => {
  await submit(contract, [[0x51, "1"]], { batchId: "b" });
  expect(await violations(({ submitted }) => submitted.set(keyOf(contract, "b"), digest("1")))).toEqual([]);
  expect(await violations(({ submitted }) => submitted.set(keyOf(contract, "other"), digest("1")))).toEqual([
    "other was acknowledged but is lost",
  ]);
  expect(await violations(({ submitted }) => submitted.set(keyOf(contract, "b"), digest("2")))).toEqual([
    "b was acknowledged but has different content",
  ]);
  const due = new FaultRun();
  await expectAllFinalized(db, due, 0.1);
  expect(due.violations).toEqual(["1 batches were still due 0.1 s after the faults ended"]);
  await finalize();
  expect(await violations(({ cancelled }) => cancelled.add(keyOf(contract, "b")))).toEqual([
    "the cancel of b was acknowledged but it is FINALIZED",
  ]);
  await withoutTriggers(db, "update accounts set received = received + 1 where received > 0");
  expect(await violations(() => undefined)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^sums_balance: /),
      expect.stringMatching(/^accounts_match_transfers: /),
    ]),
  );
});
