import { afterAll, beforeAll, expect, test } from "vitest";
import { findBatch } from "../batches/get-batch";
import { addressToBytes } from "../ledger/addresses";
import { expectLedgerToBalance } from "../testing/expect-ledger-to-balance";
import { batchOf, finalize, newContract, submit, testContext } from "../testing/factories";
import { testDatabase } from "../testing/test-database";

process.env.LOG_LEVEL = "silent";

let db: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

const setPending = (contract: string, points: string) =>
  db.sql`update accounts set pending = ${points} where address = ${addressToBytes(contract)} and point_type = 'PHASE2_POINTS'`;
const statusOf = async (contract: string) => (await findBatch(testContext(db), contract, "b")).status;

test("a batch that the database refuses to settle holds back no other", async () => {
  const contracts = [await newContract(db), await newContract(db), await newContract(db)] as const;
  for (const contract of contracts) await submit(db, batchOf(contract, [[0x31, "2"]], { batchId: "b" }));
  const [refused, ...others] = contracts;
  await setPending(refused, "0");

  expect((await finalize(db)).failure).toContain("accounts_not_negative");
  await db.sql`update batches set lease_until = now() - interval '1 second' where status = 'FINALIZING'`;
  for (let run = 0; run < 2; run++) await finalize(db);
  expect(await Promise.all(others.map(statusOf))).toEqual(["FINALIZED", "FINALIZED"]);
  expect(await statusOf(refused)).toBe("FINALIZING");

  await setPending(refused, "2");
  await db.sql`update batches set lease_until = now() - interval '1 second' where status = 'FINALIZING'`;
  await finalize(db);
  expect(await statusOf(refused)).toBe("FINALIZED");
  await expectLedgerToBalance(db);
});
