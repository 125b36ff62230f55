import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { StaffRole } from "@/server/kernel/context";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { answerCron } from "../host/answer-cron";
import { settings } from "../kernel/settings";
import { readSelfCheck } from "./read-state";
import { selfCheck, selfCheckWhenDue } from "./self-check";

const { db, context, newContract, submit } = useLedger({ serves: true });
beforeAll(async () => {
  await submit(await newContract(), [[1, "1"]], { secondsToFinalize: 3600 });
});
beforeEach(() => db.sql`truncate ledger_checks`);

const WAIT = { timeout: 60_000 };
const operationsOf = (role: StaffRole) => callerOf(db, role).operations;
const audited = (action: string) =>
  db.sql`select actor, target, request_id, detail from audit_log where action = ${action} order by id`;

describe("a ledger self-check", () => {
  test("started from the console does not keep its person waiting, and is shown as the last check", async () => {
    expect(await operationsOf("viewer").selfCheck()).toMatchObject({
      last: null,
      lastGoodAt: null,
      isRunning: false,
    });
    await db.sql.begin(async (tx) => {
      await tx`lock table batch_transfers in access exclusive mode`;
      const { checkNow } = operationsOf("operator");
      expect(await checkNow()).toEqual({ isBusy: false, lastFinishedAt: null });
      expect(await checkNow()).toEqual({ isBusy: true, lastFinishedAt: null });
      await vi.waitFor(
        async () => expect(await readSelfCheck(context())).toMatchObject({ isRunning: true }),
        WAIT,
      );
      expect(await operationsOf("operator").state()).toMatchObject({ due: 0 });
    });
    await vi.waitFor(
      async () => expect((await operationsOf("viewer").selfCheck()).last).not.toBeNull(),
      WAIT,
    );
    const { last, lastGoodAt, everyHours } = await operationsOf("viewer").selfCheck();
    expect(last).toMatchObject({
      startedBy: "staff:operator@example.com",
      isOk: true,
      isWhole: true,
      findings: [],
    });
    expect([lastGoodAt, everyHours]).toEqual([last!.finishedAt, 24]);
    expect([...(await audited("ledger.check"))]).toMatchObject([
      { actor: "staff:operator@example.com", request_id: "request-1" },
    ]);
  });

  test("that takes too long is aborted and stored as not completed, with what to do", async () => {
    await db.sql.begin(async (tx) => {
      await tx`lock table batch_transfers in access exclusive mode`;
      await expect(selfCheck({ startedBy: "cron", secondsMax: 1 })).rejects.toThrow();
    });
    const { last } = await readSelfCheck(context());
    expect(last).toMatchObject({ startedBy: "cron", isOk: false, isWhole: false });
    expect(last!.findings[0]!.detail).toMatch(
      /^The check took longer than 1 s\. Run `npm run -s ops -- verify-ledger`/,
    );
  });

  test("runs once from the cron route when it is due", async () => {
    const call = () =>
      answerCron(
        new Request("http://service.test/api/cron/finalize", {
          headers: { authorization: "Bearer cron-secret-of-this-test" },
        }),
        "request-1",
      );
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(200);
    expect(await db.sql`select started_by from ledger_checks`).toMatchObject([{ started_by: "cron" }]);
  });

  test("is off with SELF_CHECK_EVERY_HOURS=0", async () => {
    Object.assign(settings(), { SELF_CHECK_EVERY_HOURS: 0 });
    await selfCheckWhenDue({ startedBy: "scheduler", secondsMax: 10 });
    expect(await db.sql`select from ledger_checks`).toHaveLength(0);
  });
});
