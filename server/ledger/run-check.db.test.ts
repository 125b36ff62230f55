import { afterEach, beforeAll, expect, test } from "vitest";
import { shifted, times, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { isCheckDue, runCheck, storeIncompleteCheck } from "./run-check";

const { db, useContract, submit } = useLedger({ poolMax: 20, balances: false });
const contract = useContract();
beforeAll(async () => {
  await submit(contract, [[1, "10.5"]], { batchId: "one" });
});
afterEach(() => db.sql`truncate ledger_checks`);

const OPTIONS = { startedBy: "scheduler", secondsMax: 30, checks: {} };
const stored = () => db.sql`
  select started_by, is_ok, batches, findings, finished_at >= started_at as took from ledger_checks order by id`;

test("a check stores its findings and when it ended, and started by a user also an audit entry", async () => {
  expect(await runCheck(db, OPTIONS)).toMatchObject({ ok: true, batches: 1, transfers: 1 });
  await withoutTriggers(db, "update accounts set pending = pending - 1 where pending > 1");
  const report = await runCheck(db, { ...OPTIONS, startedBy: "staff:a@example.com", requestId: "request-1" });
  await withoutTriggers(db, "update accounts set pending = pending + 1 where pending > 1");
  const { ok, findings } = report!;
  expect([ok, findings.map(({ rule }) => rule)]).toEqual([
    false,
    expect.arrayContaining(["accounts_match_transfers"]),
  ]);
  expect([...(await stored())]).toEqual([
    { started_by: "scheduler", is_ok: true, batches: "1", findings: [], took: true },
    { started_by: "staff:a@example.com", is_ok: false, batches: "1", findings, took: true },
  ]);
  const audited = await db.sql`select actor, target, detail from audit_log where action = 'ledger.check'`;
  expect([...audited]).toEqual([
    { actor: "staff:a@example.com", target: "ledger", detail: { ok: false, findings: findings.length } },
  ]);
});

test("a check that is due runs once, no matter how many instances try at the same time", async () => {
  const made = await times(8, () => runCheck(db, { ...OPTIONS, dueAfterHours: 24 }));
  const later = await times(8, () => runCheck(db, { ...OPTIONS, dueAfterHours: 24 }));
  expect([...made, ...later].filter(Boolean)).toHaveLength(1);
  expect(await stored()).toHaveLength(1);
});

test("a check that is due is due at first, once the last is too old, and an hour after a check that did not complete", async () => {
  const age = (hours: number) =>
    db.sql.unsafe(`update ledger_checks set finished_at = ${shifted("finished_at", -3600 * hours)}`);
  expect(await isCheckDue(db, 24)).toBe(true);
  await runCheck(db, OPTIONS);
  await age(23);
  expect([await isCheckDue(db, 24), await isCheckDue(db, 22)]).toEqual([false, true]);
  await age(2);
  expect(await isCheckDue(db, 24)).toBe(true);
  await storeIncompleteCheck(db, "cron", new Date(), "The check took longer than 20 s.");
  expect(await isCheckDue(db, 24)).toBe(false);
  await age(1.02);
  expect(await isCheckDue(db, 24)).toBe(true);
});
