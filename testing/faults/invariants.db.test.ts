import { beforeAll, expect, test } from "vitest";
import { batchOf, withoutTriggers } from "../factories";
import { useLedger } from "../use-ledger";
import { AnswerRecord, digestOf, expectAllFinalized, FaultRun, keyOf, readInvariants } from "./fault-run";

process.env.LOG_LEVEL = "silent";

const { db, useContract, submit, finalize } = useLedger({ balances: false });
const contract = useContract();
beforeAll(async () => {
  await submit(contract, [[0x51, "1"]], { batchId: "b" });
});

const digest = (points: string) => digestOf(contract, batchOf(contract, [[0x51, points]]));
/** What the checks of a fault run find for this record of answers. */
async function found(record: Partial<AnswerRecord>) {
  const tally = new FaultRun(new AbortController().signal, () => undefined);
  await readInvariants(db, Object.assign(new AnswerRecord(), record), tally);
  return tally.violations.map((words) => words.replace(/0x[0-9a-f]+\//, ""));
}

test("a fault run finds lost, changed and wrongly finalized batches, overdue ones, and a ledger that does not balance", async () => {
  const submitted = (id: string, points: string) => ({
    submitted: new Map([[keyOf(contract, id), digest(points)]]),
  });
  expect(await found(submitted("b", "1"))).toEqual([]);
  expect(await found(submitted("other", "1"))).toEqual(["other was acknowledged but is lost"]);
  expect(await found(submitted("b", "2"))).toEqual(["b was acknowledged but has different content"]);
  const tally = new FaultRun(new AbortController().signal, () => undefined);
  await expectAllFinalized(db, tally, 0.1);
  expect(tally.violations).toEqual(["1 batches were still due 0.1 s after the faults ended"]);
  await finalize();
  expect(await found({ cancelled: new Set([keyOf(contract, "b")]) })).toEqual([
    "the cancel of b was acknowledged but it is FINALIZED",
  ]);
  await withoutTriggers(db, "update accounts set received = received + 1 where received > 0");
  expect(await found({})).toEqual(expect.arrayContaining([expect.stringMatching(/^sums_balance: /)]));
});
