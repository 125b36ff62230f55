import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { cancelBatch } from "../batches/cancel-batch";
import { indexRecipients } from "../recipients/index-recipients";
import { expectLedgerToBalance } from "../testing/expect-ledger-to-balance";
import { batchOf, finalize, newContract, submit, testContext, withoutTriggers } from "../testing/factories";
import { LEDGER_BREAKS } from "../testing/ledger-breaks";
import { testDatabase } from "../testing/test-database";
import { checkLedger } from "./check-ledger";

let db: Awaited<ReturnType<typeof testDatabase>>;

beforeAll(async () => {
  db = await testDatabase();
  const contract = await newContract(db);
  const funded = await newContract(db, { issuance: "PREFUNDED", granted: "1000" });
  for (const sender of [contract, funded]) {
    for (const batchId of ["settled", "given-back"]) {
      await submit(
        db,
        batchOf(
          sender,
          [
            [1, "10.5"],
            [2, "0.25"],
          ],
          { batchId },
        ),
      );
      if (batchId === "given-back") await cancelBatch(testContext(db), { contractAddress: sender, batchId });
    }
  }
  await finalize(db);
  for (const sender of [contract, funded]) {
    await submit(
      db,
      batchOf(
        sender,
        [
          [1, "7"],
          [3, "0.01"],
        ],
        { batchId: "waiting", secondsToFinalize: 3600 },
      ),
    );
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  await indexRecipients(db);
});
afterAll(() => db?.drop());

describe("a ledger in order", () => {
  test("balances, and its size is told", async () => {
    expect(await checkLedger(db)).toMatchObject({ ok: true, batches: 6, transfers: 12, findings: [] });
  });
});

describe.each(Object.entries(LEDGER_BREAKS))("%s finds", (rule, breaks) => {
  let mend = "";
  afterEach(async () => {
    await withoutTriggers(db, mend);
    await expectLedgerToBalance(db);
  });

  test.each(breaks)("%s", async (_, breaking, mending) => {
    mend = mending;
    await withoutTriggers(db, breaking);
    const report = await checkLedger(db);
    expect(report.ok).toBe(false);
    expect(report.findings.map((finding) => finding.rule)).toContain(rule);
    for (const { detail } of report.findings) expect(detail).toMatch(/\S{3,}/);
  });
});

test("at most a hundred findings are told", async () => {
  await withoutTriggers(
    db,
    "insert into transfers select 99999, decode(repeat('cc', 20), 'hex'), n, decode(repeat('dd', 20), 'hex'), 1 from generate_series(0, 299) n",
  );
  expect((await checkLedger(db)).findings).toHaveLength(100);
  await withoutTriggers(db, "delete from transfers where batch_seq = 99999");
  await expectLedgerToBalance(db);
});
