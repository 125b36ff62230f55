import { beforeAll, beforeEach, expect, test } from "vitest";
import { batchOf, withoutTriggers } from "../factories";
import { useLedger } from "../use-ledger";
import { AnswerRecord, digestOf, expectAllFinalized, FaultRun, keyOf, readInvariants } from "./fault-run";

process.env.LOG_LEVEL = "silent";

const { db, useContract, submit, finalize } = useLedger({ balances: false });
const contract = useContract();
let tally: FaultRun;
let record: AnswerRecord;
beforeAll(async () => {
  await submit(contract, [[0x51, "1"]], { batchId: "b" });
});
beforeEach(() => {
  tally = new FaultRun(new AbortController().signal, () => undefined);
  record = new AnswerRecord();
});

const digest = (points: string) => digestOf(contract, batchOf(contract, [[0x51, points]]));
const read = async () => {
  await readInvariants(db, record, tally);
  return tally.violations.map((words) => words.replace(/0x[0-9a-f]+\//, ""));
};

test("an acknowledged batch that is stored is no violation", async () => {
  record.submitted.set(keyOf(contract, "b"), digest("1"));
  expect(await read()).toEqual([]);
  expect(tally.reads).toBe(1);
});

test("finds a lost acknowledged batch", async () => {
  record.submitted.set(keyOf(contract, "other"), digest("1"));
  expect(await read()).toEqual(["other was acknowledged but is lost"]);
});

test("finds an acknowledged batch with different content", async () => {
  record.submitted.set(keyOf(contract, "b"), digest("2"));
  expect(await read()).toEqual(["b was acknowledged but has different content"]);
});

test("finds a due batch that is not finalized", async () => {
  await expectAllFinalized(db, tally, 0.1);
  expect(tally.violations).toEqual(["1 batches were still due 0.1 s after the faults ended"]);
});

test("finds a batch whose cancel was acknowledged but that is FINALIZED", async () => {
  await finalize();
  record.cancelled.add(keyOf(contract, "b"));
  expect(await read()).toEqual(["the cancel of b was acknowledged but it is FINALIZED"]);
});

test("finds a ledger that does not balance", async () => {
  await withoutTriggers(db, "update accounts set received = received + 1 where received > 0");
  expect(await read()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^sums_balance: /),
      expect.stringMatching(/^accounts_match_transfers: /),
    ]),
  );
});
