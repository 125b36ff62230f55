import { beforeEach, describe, expect, test } from "vitest";
import { setRule, shifted, withoutTriggers } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import { holdBatch } from "../batches/change/hold-batch";
import { addressFromBytes } from "../kernel/values/addresses";
import { readLoad } from "./measure";

const { db, context, newContract, submit } = useLedger({ serves: true });
beforeEach(async () => {
  const pending = await db.sql<{ address: Buffer; batchId: string }[]>`
    select contract_address as address, id as "batchId" from batches where status = 'PENDING'`;
  for (const { address, batchId } of pending)
    await cancelBatch(context(), { contractAddress: addressFromBytes(address), batchId });
  await db.sql`truncate finalizer_runs`;
});

const HOUR = 3600;
const rows = (count: number): [number, string][] => Array.from({ length: count }, (_, row) => [row + 1, "1"]);

/** A run of `seconds` that ended now. */
const run = (transfers: number, seconds: number, failure: string | null = null) => db.sql`
  insert into finalizer_runs (started_by, started_at, finished_at, batches_finalized, transfers_settled, lag_seconds_max, failure)
  values ('scheduler', now() - ${seconds}::int * interval '1 second', now(), 1, ${transfers}, 0, ${failure})`;

describe("what is due in the next 24 hours", () => {
  test("is added up per hour, from the current one, which includes what is overdue", async () => {
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
    const { hours } = (await readLoad(db))!;
    expect(hours).toHaveLength(25);
    expect(hours[0]!.from).toMatch(/:00:00\.000Z$/);
    expect(hours[0]!.transfers).toBe(5);
    expect(hours[10]!.transfers).toBe(7);
    expect(hours.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(18);
  });

  test("leaves out what will not be finalized: batches on hold and awaiting approval", async () => {
    const contract = await newContract();
    await submit(contract, rows(2), { batchId: "held", secondsToFinalize: HOUR });
    await holdBatch(context(), { contractAddress: contract, batchId: "held", reason: "odd" });
    await setRule(db, contract, { threshold: "3" });
    await submit(contract, rows(3), { secondsToFinalize: HOUR });
    await submit(contract, rows(1), { secondsToFinalize: HOUR });
    const { hours } = (await readLoad(db))!;
    expect(hours.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(1);
  });
});

describe("whether it will be late", () => {
  test("is not said before a large run was measured", async () => {
    await run(999, 1);
    await run(50_000, 1, "it failed");
    expect(await readLoad(db)).toMatchObject({ measured: null, waves: [] });
  });

  test("is computed with the rate of the largest runs", async () => {
    // 20 of 60 transfers per minute; a smaller one does not count.
    for (let large = 0; large < 20; large++) await run(2_000, 2_000);
    await run(1_000, 1);
    const contract = await newContract();
    await submit(contract, rows(300), { secondsToFinalize: 3 * HOUR });
    const { measured, waves } = (await callerOf(db, "viewer").operations.load())!;
    expect(measured).toEqual({ transfersPerMinute: 60, runs: 20 });
    expect(waves).toMatchObject([{ transfers: 300, minutesLate: 5 }]);
    expect(Date.parse(waves[0]!.doneAt) - Date.parse(waves[0]!.from)).toBe(5 * 60_000);
  });
});
