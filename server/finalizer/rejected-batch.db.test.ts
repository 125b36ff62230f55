import { expect, test } from "vitest";
import { endLeases } from "@/testing/catch-up";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { useLedger } from "@/testing/use-ledger";
import { findBatch } from "../batches/list/get-batch";
import { addressToBytes } from "../kernel/values/addresses";

process.env.LOG_LEVEL = "silent";

const { db, context, newContract, submit, finalize } = useLedger();

const setPending = (contract: string, points: string) =>
  db.sql`update accounts set pending = ${points} where address = ${addressToBytes(contract)} and point_type = 'PHASE2_POINTS'`;
const statusOf = async (contract: string) => (await findBatch(context(), contract, "b")).status;

const refusedBatch = async () => {
  const contract = await newContract();
  await submit(contract, [[0x31, "2"]], { batchId: "b" });
  await setPending(contract, "0");
  return contract;
};
const goodBatch = async () => {
  const contract = await newContract();
  await submit(contract, [[0x32, "2"]], { batchId: "b" });
  return contract;
};
const repair = async (contracts: readonly string[]) => {
  for (const contract of contracts) await setPending(contract, "2");
  await endLeases(db);
  await finalize();
};

test("a batch that the database rejects does not delay others that are due with it", async () => {
  const refused = await refusedBatch();
  const others = [await goodBatch(), await goodBatch()];

  expect((await finalize()).failure).toContain("accounts_not_negative");
  expect(await Promise.all(others.map(statusOf))).toEqual(["FINALIZED", "FINALIZED"]);
  expect(await statusOf(refused)).toBe("FINALIZING");

  await repair([refused]);
  expect(await statusOf(refused)).toBe("FINALIZED");
  await expectLedgerToBalance(db);
});

test("any number of rejected batches, retried in every run, do not delay batches that are due later", async () => {
  const refused = await Promise.all(Array.from({ length: 5 }, refusedBatch));
  await finalize();
  for (let run = 0; run < 2; run++) {
    const good = await goodBatch();
    await endLeases(db);
    expect((await finalize()).failure).toContain("accounts_not_negative");
    expect(await statusOf(good)).toBe("FINALIZED");
  }
  await repair(refused);
  expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => "FINALIZED"));
  await expectLedgerToBalance(db);
});
