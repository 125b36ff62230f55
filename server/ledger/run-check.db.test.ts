import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { shifted, times, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { CHECK_LOCK, isCheckDue, runCheck, storeIncompleteCheck } from "./run-check";

const { db, useContract, submit } = useLedger({ poolMax: 20, balances: false });
const contract = useContract();
beforeAll(async () => {
  await submit(contract, [[1, "10.5"]], { batchId: "one" });
});
afterEach(() => db.sql`truncate ledger_checks`);

const OPTIONS = { startedBy: "scheduler", secondsMax: 30 };
const stored = () =>
  db.sql<
    { started_by: string; is_ok: boolean; batches: string; findings: { rule: string }[]; took: boolean }[]
  >`
    select started_by, is_ok, batches, findings, finished_at >= started_at as took from ledger_checks order by id`;
const audited = () => db.sql`select actor, target, detail from audit_log where action = 'ledger.check'`;

describe("a check", () => {
  test("stores its findings and when it ended", async () => {
    expect(await runCheck(db, OPTIONS)).toMatchObject({ ok: true, batches: 1, transfers: 1 });
    expect([...(await stored())]).toEqual([
      { started_by: "scheduler", is_ok: true, batches: "1", findings: [], took: true },
    ]);
    expect(await audited()).toHaveLength(0);
  });

  test("stores each broken rule", async () => {
    await withoutTriggers(db, "update accounts set pending = pending - 1 where pending > 1");
    const report = await runCheck(db, OPTIONS);
    await withoutTriggers(db, "update accounts set pending = pending + 1 where pending > 1");
    expect(report).toMatchObject({ ok: false });
    const [row] = await stored();
    expect(row!.is_ok).toBe(false);
    expect(row!.findings).toEqual(report!.findings);
    expect(row!.findings.map(({ rule }) => rule)).toContain("accounts_match_transfers");
  });

  test("started by a user leaves an audit entry next to its result", async () => {
    await runCheck(db, { ...OPTIONS, startedBy: "staff:a@example.com", requestId: "request-1" });
    expect([...(await audited())]).toEqual([
      { actor: "staff:a@example.com", target: "ledger", detail: { ok: true, findings: 0 } },
    ]);
  });

  test("does not wait for rows locked by other transactions", async () => {
    await db.sql.begin(async (tx) => {
      await tx`update accounts set pending = pending`;
      await tx`update batches set held_at = held_at`;
      expect(await runCheck(db, OPTIONS)).toMatchObject({ ok: true });
    });
  });

  test("stops when one of its statements exceeds the time limit, and stores nothing", async () => {
    await db.sql.begin(async (tx) => {
      await tx`lock table batch_transfers in access exclusive mode`;
      await expect(runCheck(db, { ...OPTIONS, secondsMax: 1 })).rejects.toMatchObject({ code: "57014" });
    });
    expect(await stored()).toHaveLength(0);
  });

  test("runs alone, and a concurrent check is refused immediately", async () => {
    await db.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${CHECK_LOCK.space}::int, ${CHECK_LOCK.key}::int)`;
      expect(await runCheck(db, OPTIONS)).toBeNull();
    });
    expect(await runCheck(db, OPTIONS)).not.toBeNull();
  });
});

describe("a check that is due", () => {
  test("runs once, no matter how many instances try at the same time", async () => {
    const made = await times(8, () => runCheck(db, { ...OPTIONS, dueAfterHours: 24 }));
    const later = await times(8, () => runCheck(db, { ...OPTIONS, dueAfterHours: 24 }));
    expect([...made, ...later].filter(Boolean)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });

  test.each([
    [23, 24, false],
    [25, 24, true],
    [0, 1, false],
    [2, 1, true],
  ])("after a check %i h ago, with one every %i h: %s", async (hoursAgo, every, due) => {
    await runCheck(db, OPTIONS);
    await db.sql.unsafe(`update ledger_checks set finished_at = ${shifted("finished_at", -3600 * hoursAgo)}`);
    expect(await isCheckDue(db, every)).toBe(due);
  });

  test("is due at first, and an hour after a check that did not complete", async () => {
    expect(await isCheckDue(db, 24)).toBe(true);
    await storeIncompleteCheck(db, "cron", new Date(), "The check took longer than 20 s.");
    expect(await isCheckDue(db, 24)).toBe(false);
    await db.sql.unsafe(`update ledger_checks set finished_at = ${shifted("finished_at", -61 * 60)}`);
    expect(await isCheckDue(db, 24)).toBe(true);
  });
});
