import { beforeEach, describe, expect, test, vi } from "vitest";
import type { StaffRole } from "@/server/kernel/context";
import { shifted, withoutTriggers } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { holdBatch } from "../batches/change/hold-batch";
import { finalizeDueBatches } from "../finalizer/finalize-due-batches";
import { DomainError } from "../kernel/values/problems";
import { measureFinalizing } from "./measure";
import { RANGE_SHAPES, RANGES } from "./ranges";

const { db, context, useContract, submit, finalize } = useLedger({ serves: true });
const contract = useContract();
beforeEach(() => db.sql`truncate finalizer_runs, finalizer_heartbeat`);

const operationsOf = (role: StaffRole) => callerOf(db, role).operations;
const audited = (action: string) =>
  db.sql`select actor, target, request_id, detail from audit_log where action = ${action} order by id`;

describe("the finalizing state", () => {
  test("counts batches on hold separately and never as overdue, and reports how overdue the oldest due batch is, and the last tick of any finalizer", async () => {
    expect(await operationsOf("viewer").state()).toMatchObject({
      due: 0,
      oldestOverdueSeconds: null,
      held: 0,
      lastTickSeconds: null,
      lastTickAt: null,
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
    expect(state).toMatchObject({ due: 2, held: 1 });
    expect(state.lastTickSeconds).toBeLessThan(60);
    expect(Date.parse(state.lastTickAt!)).toBeGreaterThan(Date.now() - 60_000);
    expect(state.oldestOverdueSeconds).toBeGreaterThanOrEqual(90);
    expect(state.oldestOverdueSeconds).toBeLessThan(120);
    await finalize();
  });
});

describe("run now", () => {
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

  test("finalizes due batches, reports what is left, and leaves an audit entry and a run in the user's name", async () => {
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
    expect(run).toMatchObject({
      startedBy: "staff:operator@example.com",
      batchesFinalized: 1,
      failure: null,
    });
    // One that finds nothing to do is reported, and left out of the recent runs.
    expect(await resultOf(await operationsOf("operator").runNow())).toMatchObject({ batchesFinalized: 0 });
    expect(await operationsOf("viewer").runs({ failedOnly: false })).toHaveLength(1);
  });

  test("does not keep its person waiting: lists and cancels are answered while it runs, and a second one joins it", async () => {
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

  test.each(["runNow", "checkNow"] as const)("%s is refused for a viewer", async (verb) => {
    await expect(operationsOf("viewer")[verb]()).rejects.toSatisfy(
      (error: Error) => error.cause instanceof DomainError && error.cause.code === "not_allowed",
    );
    expect(await db.sql`select from ledger_checks`).toHaveLength(0);
  });
});

describe("recent runs", () => {
  test("are listed newest first, and can be filtered to failures with their cause", async () => {
    await db.sql`
      insert into finalizer_runs (started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max, failure)
      select 'scheduler', now() - n * interval '1 minute', now() - n * interval '1 minute', n, n, 1,
        case when n % 40 = 0 then 'Finalizing failed: the database returned SQLSTATE 23514.' end
      from generate_series(1, 100) n`;
    const all = await operationsOf("viewer").runs({ failedOnly: false });
    expect(all.map(({ batchesFinalized }) => batchesFinalized)).toEqual(
      Array.from({ length: 30 }, (_, n) => n + 1),
    );
    const failed = await operationsOf("viewer").runs({ failedOnly: true });
    expect(failed.map(({ batchesFinalized, failure }) => [batchesFinalized, failure])).toEqual([
      [40, "Finalizing failed: the database returned SQLSTATE 23514."],
      [80, "Finalizing failed: the database returned SQLSTATE 23514."],
    ]);
  });
});

describe("the finalizing chart", () => {
  test("has a bucket for each interval of a range, ending with the current one", async () => {
    for (const range of RANGES) {
      const { buckets, bucketSeconds } = RANGE_SHAPES[range];
      expect(buckets).toBeLessThanOrEqual(120);
      const starts = (await measureFinalizing(db, range))!.map(({ at }) => Date.parse(at));
      expect(starts).toEqual(
        Array.from({ length: buckets }, (_, at) => starts[0]! + at * bucketSeconds * 1000),
      );
      const age = Date.now() - starts.at(-1)!;
      expect(age).toBeGreaterThanOrEqual(-1000);
      expect(age).toBeLessThan(bucketSeconds * 1000 + 1000);
    }
  });

  test("computes lags from the bucket's batches, with null for unknown lags", async () => {
    await withoutTriggers(
      db,
      `with made as (
         select n, date_trunc('minute', now()) - interval '10 minutes' + n * interval '1 second' as at from generate_series(0, 20) n
       ) insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest, submitted_by,
           submit_request_id, created_at, finalize_at, updated_at, finalized_at, claim_id, claimed_at)
         select decode('${contract.slice(2)}', 'hex'), 'lag-' || n, 'PHASE2_POINTS', 'FINALIZED', 1, 3, 0, sha256(''), 't', 'r',
           at - n * interval '1 second', at - n * interval '1 second', at, at, gen_random_uuid(), at from made`,
    );
    const at = (
      await db.sql<{ at: string }[]>`
      select to_char(date_trunc('minute', now() at time zone 'UTC') - interval '10 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`
    )[0]!.at;
    const measured = (await measureFinalizing(db, "1h"))!;
    await withoutTriggers(db, "delete from batches where id like 'lag-%'");
    expect(measured.find((bucket) => bucket.at === at)).toEqual({ at, lagP50: "10", lagP95: "19" });
    expect(measured[0]).toMatchObject({ lagP50: null, lagP95: null });
  });
});
