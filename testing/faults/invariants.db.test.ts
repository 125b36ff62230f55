import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { batchOf, finalize, newContract, submit, withoutTriggers } from "../factories";
import { type TestDatabase, testDatabase } from "../test-database";
import { expectAllFinalized, expectStoredContent, readInvariants } from "./invariants";
import { Random } from "./random";
import { AnswerRecord, digestOf, keyOf } from "./record";
import { Tally } from "./tally";

process.env.LOG_LEVEL = "silent";

let db: TestDatabase;
let contract: string;
let tally: Tally;
let record: AnswerRecord;
beforeAll(async () => {
  db = await testDatabase();
  contract = await newContract(db);
  await submit(db, batchOf(contract, [[0x51, "1"]], { batchId: "b" }));
});
beforeEach(() => {
  tally = new Tally();
  record = new AnswerRecord();
});
afterAll(() => db?.drop());

const digest = (points: string) => digestOf(contract, batchOf(contract, [[0x51, points]]));
const read = async () => {
  await readInvariants(db, record, tally);
  return tally.violations.map((words) => words.replace(/0x[0-9a-f]+\//, ""));
};

test("what was acknowledged and stands is no violation", async () => {
  record.submitted.set(keyOf(contract, "b"), digest("1"));
  expect(await read()).toEqual([]);
  await expectStoredContent(db, record, tally);
  expect([tally.violationCount, tally.reads]).toEqual([0, 1]);
});

test("an acknowledged batch that is lost is found", async () => {
  record.submitted.set(keyOf(contract, "other"), digest("1"));
  expect(await read()).toEqual(["other was acknowledged and is lost"]);
});

test("an acknowledged batch with other content is found, in its digest and in its transfers", async () => {
  record.submitted.set(keyOf(contract, "b"), digest("2"));
  expect(await read()).toEqual(["b was acknowledged and holds another content"]);
  await expectStoredContent(db, record, tally);
  expect(tally.violationCount).toBe(2);
});

test("a due batch that nobody finalizes is found", async () => {
  await expectAllFinalized(db, tally, 0.1);
  expect(tally.violations).toEqual(["1 due batches were left 0.1 s after the faults ended"]);
});

test("a batch that was answered as cancelled and is FINALIZED is found", async () => {
  await finalize(db);
  record.cancelled.add(keyOf(contract, "b"));
  expect(await read()).toEqual(["b was answered as cancelled and is FINALIZED"]);
});

test("a ledger that does not balance is found", async () => {
  await withoutTriggers(db, "update accounts set received = received + 1 where received > 0");
  expect(await read()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^sums_balance: /),
      expect.stringMatching(/^accounts_match_transfers: /),
    ]),
  );
});

test("a seed repeats its numbers", () => {
  const numbers = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.below(1000));
  };
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
});
