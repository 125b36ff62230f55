import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { withoutTriggers } from "@/testing/factories";
import { LEDGER_BREAKS } from "@/testing/ledger-breaks";
import { storeOrderedLedger } from "@/testing/store-ordered-ledger";
import { useDatabase } from "@/testing/test-database";
import { checkLedger } from "./run-check";

const db = useDatabase();

beforeAll(async () => {
  await storeOrderedLedger(db);
});

describe("a correct ledger", () => {
  test("balances, and the report has its size", async () => {
    expect(await checkLedger(db)).toMatchObject({ ok: true, batches: 18, transfers: 26, findings: [] });
  });
});

describe.each(Object.entries(LEDGER_BREAKS))("%s finds", (rule, breaks) => {
  let repair = "";
  afterEach(async () => {
    await withoutTriggers(db, repair);
    await expectLedgerToBalance(db);
  });

  test.each(breaks)("%s", async (_, breaking, repairing) => {
    repair = repairing;
    await withoutTriggers(db, breaking);
    const report = await checkLedger(db);
    expect(report.ok).toBe(false);
    expect(report.findings.map((finding) => finding.rule)).toContain(rule);
    for (const { detail } of report.findings) expect(detail).toMatch(/\S{3,}/);
  });
});

test("a finding about sums has the exact numbers", async () => {
  const [[, breaking, repairing]] = LEDGER_BREAKS.sums_balance as [[string, string, string]];
  await withoutTriggers(db, breaking);
  const { findings } = await checkLedger(db);
  await withoutTriggers(db, repairing);
  const ofSums = findings.filter(({ rule }) => rule === "sums_balance");
  expect(ofSums.map(({ detail }) => detail)).toEqual(["PHASE2_POINTS: received 43.5, sent 42.5"]);
});

test("the report has at most a hundred findings, over all rules", async () => {
  await withoutTriggers(
    db,
    `alter table batches drop constraint if exists batches_status_times; update batches set updated_at = now() where id = 'waiting';
     insert into batch_transfers select 99999 + n, decode(repeat('cc', 20), 'hex'), decode(repeat('dd', 20), 'hex'), array[1] from generate_series(0, 98) n`,
  );
  const { findings } = await checkLedger(db);
  await withoutTriggers(
    db,
    "delete from batch_transfers where batch_seq >= 99999; update batches set updated_at = null where id = 'waiting'",
  );
  expect(findings).toHaveLength(100);
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(
    new Set(["no_stray_transfers", "status_times_fit"]),
  );
  await expectLedgerToBalance(db);
});
