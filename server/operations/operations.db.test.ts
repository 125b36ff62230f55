import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch } from "@/server/batches/change/hold-batch";
import { finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { answerCron } from "@/server/host/answer-cron";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import type { StaffRole } from "@/server/kernel/context";
import { DomainError } from "@/terms/problems";
import { setRule, shifted, withoutTriggers } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { readLoad } from "./measure";
import { readSelfCheck } from "./read-state";
import { selfCheck } from "./self-check";

const { db, context, useContract, submit, finalize, newContract } = useLedger({ serves: true });

const contract = useContract();

const operationsOf = (role: StaffRole) => callerOf(db, role).operations;

const audited = (action: string) =>
  db.sql`select actor, target, request_id, detail from audit_log where action = ${action} order by id`;

test("what is on hold is not overdue, and what is due or not indexed has an age", async () => {
  expect(await operationsOf("viewer").state()).toMatchObject({
    due: 0,
    oldestOverdueSeconds: null,
    lastTickSeconds: null,
  });
  for (const batchId of ["due-1", "due-2", "held"]) await submit(contract, [[1, "1"]], { batchId });
  await submit(contract, [[1, "1"]], { batchId: "later", secondsToFinalize: 3600 });
  await holdBatch(context(), { contractAddress: contract, batchId: "held", reason: "odd" });
  const back = (id: string, seconds: number) =>
    withoutTriggers(
      db,
      `update batches set created_at = ${shifted("created_at", -seconds)}, finalize_at = ${shifted("finalize_at", -seconds)} where id = '${id}'`,
    );
  await back("due-1", 90);
  await back("held", 900);
  await finalizeDueBatches(db, { budgetSeconds: 0, startedBy: "test" });
  const state = await operationsOf("viewer").state();
  expect(state).toMatchObject({ due: 2 });
  expect(state.lastTickSeconds).toBeLessThan(60);
  expect(state.oldestOverdueSeconds).toBeGreaterThanOrEqual(90);
  expect(state.oldestOverdueSeconds).toBeLessThan(120);
  expect(state.unindexedSeconds).toBeGreaterThanOrEqual(900);
  await finalize();
});

/** The result of a run, when it has ended. */
const resultOf = (given: { runId: string }) =>
  vi.waitFor(
    async () => {
      const run = await operationsOf("viewer").run(given);
      expect(run).not.toBeNull();
      return run;
    },
    { timeout: 60_000 },
  );

test("run now finalizes due batches, reports what is left, and leaves an audit entry and a run in the user's name", async () => {
  await submit(contract, [
    [1, "1"],
    [2, "2"],
  ]);
  expect(await resultOf(await operationsOf("operator").runNow())).toEqual({
    batchesFinalized: 1,
    transfersSettled: 2,
    lagSecondsMax: expect.any(Number),
    dueLeft: 0,
    failure: null,
  });
  expect([...(await audited("finalizer.run"))]).toEqual([
    {
      actor: "staff:operator@example.com",
      target: "finalizer",
      request_id: "request-1",
      detail: { budgetSeconds: 10 },
    },
  ]);
  const [run] = await operationsOf("viewer").runs({ failedOnly: false });
  expect(run).toMatchObject({ startedBy: "staff:operator@example.com", batchesFinalized: 1, failure: null });
  // One that finds nothing to do is reported, and left out of the recent runs.
  expect(await resultOf(await operationsOf("operator").runNow())).toMatchObject({ batchesFinalized: 0 });
  expect(await operationsOf("viewer").runs({ failedOnly: false })).toHaveLength(1);
});

test("run now does not keep its person waiting: lists and cancels are answered while it runs, and a second one joins it", async () => {
  await submit(contract, [[1, "1"]]);
  await submit(contract, [[1, "1"]], { batchId: "cancelled-meanwhile", secondsToFinalize: 3600 });
  const { operations, alerts, batches } = callerOf(db, "operator");
  let started = { runId: "" };
  await db.sql.begin(async (tx) => {
    await tx`lock table batch_transfers in access exclusive mode`;
    started = await operations.runNow();
    expect(await operations.runNow()).toEqual(started);
    expect(await operations.run(started)).toBeNull();
    expect(await alerts.summary()).toMatchObject({ unseenCount: 0 });
    const key = { contractAddress: contract, batchId: "cancelled-meanwhile", reason: "sent twice" };
    expect(await batches.cancel(key)).toEqual({ batchId: key.batchId });
  });
  expect(await resultOf(started)).toMatchObject({ batchesFinalized: 1, failure: null });
});

test.each(["runNow", "checkNow"] as const)("run now %s is refused for a viewer", async (verb) => {
  await expect(operationsOf("viewer")[verb]()).rejects.toSatisfy(
    (error: Error) => error.cause instanceof DomainError && error.cause.code === "not_allowed",
  );
  expect(await db.sql`select from ledger_checks`).toHaveLength(0);
});

beforeEach(async () => {
  const pending = await db.sql<{ address: Buffer; batchId: string }[]>`
    select contract_address as address, id as "batchId" from batches where status = 'PENDING'`;
  for (const { address, batchId } of pending)
    await cancelBatch(context(), { contractAddress: addressFromBytes(address), batchId });
  await db.sql`truncate finalizer_runs, finalizer_heartbeat, ledger_checks`;
});

const HOUR = 3600;

const rows = (count: number): [number, string][] => Array.from({ length: count }, (_, row) => [row + 1, "1"]);

test("what is due in the next 24 hours is added up per hour, from the current one, which includes what is overdue", async () => {
  const contract = await newContract();
  await submit(contract, rows(3), { secondsToFinalize: 10 * HOUR });
  await submit(contract, rows(4), { secondsToFinalize: 10 * HOUR });
  await submit(contract, rows(6), { secondsToFinalize: 24 * HOUR - 60 });
  await submit(contract, rows(9), { secondsToFinalize: 25 * HOUR });
  await submit(contract, rows(5), { batchId: "overdue" });
  await withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", -2 * HOUR)}, finalize_at = ${shifted("finalize_at", -2 * HOUR)} where id = 'overdue'`,
  );
  const hours = (await readLoad(db))!;
  expect(hours).toHaveLength(25);
  expect(hours[0]!.from).toMatch(/:00:00\.000Z$/);
  expect(hours[0]!.transfers).toBe(5);
  expect(hours[10]!.transfers).toBe(7);
  expect(hours.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(18);
});

beforeAll(async () => {
  await submit(await newContract(), [[1, "1"]], { secondsToFinalize: 3600 });
});

const WAIT = { timeout: 60_000 };

test("a ledger self-check started from the console does not keep its person waiting, and is shown as the last check", async () => {
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
  await vi.waitFor(async () => expect((await operationsOf("viewer").selfCheck()).last).not.toBeNull(), WAIT);
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

test("a ledger self-check that takes too long is aborted and stored as not completed, with what to do", async () => {
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

test("a ledger self-check runs once from the cron route when it is due", async () => {
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

test("what is due in the next 24 hours leaves out what will not be finalized: batches on hold and awaiting approval", async () => {
  const contract = await newContract();
  await submit(contract, rows(2), { batchId: "held", secondsToFinalize: HOUR });
  await holdBatch(context(), { contractAddress: contract, batchId: "held", reason: "odd" });
  await setRule(db, contract, { threshold: "3" });
  await submit(contract, rows(3), { secondsToFinalize: HOUR });
  await submit(contract, rows(1), { secondsToFinalize: HOUR });
  const hours = (await readLoad(db))!;
  expect(hours.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(1);
});
