import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { inOneSnapshot } from "@/server/kernel/shards";
import { expectLedgerToBalance } from "@/testing/expectations";
import { times, withoutTriggers } from "@/testing/factories";
import { breakLedger, LEDGER_BREAKS, storeOrderedLedger } from "@/testing/ledger-breaks";
import { useLedger } from "@/testing/use-ledger";
import { checkLedger, type LedgerReport, readLedger, runCheck } from "./run-check";
import { transferHash } from "./transfer-hash";

const SLICES = 3;

const { db, context, submit, finalize } = useLedger({ poolMax: 20, balances: false });
let contract: string;
beforeAll(async () => {
  contract = (await storeOrderedLedger(db)).onDemand;
});

/** Rows of the current millisecond are newer than the checkpoint. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
/** Treats every committed row as old immediately, because nothing here is still committing. */
const OLD_AT_ONCE = { startedBy: "test", secondsMax: 30, checks: {}, slices: SLICES, unsettledSeconds: 0 };
const whole = async () => (await runCheck(db, OLD_AT_ONCE))!;
const incremental = async (more: object = {}) =>
  (await runCheck(db, { ...OLD_AT_ONCE, reach: "incremental", ...more }))!;
const round = async () =>
  (
    await db.sql<{ slices_done: number; horizon: string; round_finished_at: string }[]>`
      select slices_done, horizon, round_finished_at from ledger_checkpoint`
  )[0];

const BREAKS = Object.entries(LEDGER_BREAKS).flatMap(([rule, breaks]) =>
  Object.entries(breaks).map(([what, breaking]) => ({ rule, what, breaking })),
);

test("a correct ledger balances, and the report has its size", async () => {
  expect(await checkLedger(db, {})).toMatchObject({ ok: true, batches: 18, transfers: 26, findings: [] });
});

test("a check may compute between its statements for longer than other transactions may pause, as for a million claims", async () => {
  await inOneSnapshot(db, "read only", async (tx) => {
    const limit = async () => (await tx`show idle_in_transaction_session_timeout`)[0];
    expect(await limit()).not.toEqual({ idle_in_transaction_session_timeout: "0" });
    await readLedger(tx, {});
    expect(await limit()).toEqual({ idle_in_transaction_session_timeout: "0" });
  });
});

describe(`a whole check, and a round of ${SLICES} slices, find`, () => {
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await whole();
    await pause();
  });
  afterEach(() => restore());

  test.each(BREAKS)("$rule: $what", async ({ rule, breaking }) => {
    restore = await breakLedger(db, breaking);
    const { ok, findings } = await checkLedger(db, {});
    expect(ok).toBe(false);
    expect(findings.map((finding) => finding.rule)).toContain(rule);
    for (const { detail } of findings) expect(detail).toMatch(/\S{3,}/);
    // The slices decide which rule finds it first, because balances are read from the recipient index, not from transfers.
    let isFound = false;
    for (let slice = 1; slice <= SLICES && !isFound; slice++) {
      const report = await incremental();
      expect(report.reach).toBe("incremental");
      isFound = !report.ok;
    }
    expect(isFound).toBe(true);
  });
});

test("the first check after it finds points that went to the wrong wallet, although all sums match, and so does one after the checkpoint moved", async () => {
  expect(await whole()).toMatchObject({ ok: true });
  await pause();
  await submit(contract, [
    [21, "5"],
    [22, "6"],
  ]);
  await finalize();
  const exchange = (from: string, to: string) =>
    withoutTriggers(
      db,
      `update accounts set received = received ${from} 1 where address = decode(lpad('15', 40, '0'), 'hex');
       update accounts set received = received ${to} 1 where address = decode(lpad('16', 40, '0'), 'hex')`,
    );
  for (let time = 0; time < 2; time++) {
    await exchange("+", "-");
    const { findings } = await incremental();
    expect(findings.map(({ rule }) => rule)).toContain("accounts_match_transfers");
    expect((await incremental()).ok).toBe(false);
    await exchange("-", "+");
    await pause();
    expect(await incremental()).toMatchObject({ ok: true, reach: "incremental" });
  }
});

test("the checkpoint goes through a round slice by slice, then starts the next round", async () => {
  await whole();
  const before = await round();
  for (let slice = 1; slice < SLICES; slice++) {
    await pause();
    await incremental();
    expect((await round())!.slices_done).toBe(slice);
  }
  expect((await round())!.round_finished_at).toBe(before!.round_finished_at);
  await pause();
  await incremental();
  const after = await round();
  expect(after!.slices_done).toBe(0);
  expect(after!.round_finished_at > before!.round_finished_at).toBe(true);
  expect(after!.horizon > before!.horizon).toBe(true);
});

test("the checkpoint does not move after a finding, and is dropped by a full check with a finding", async () => {
  await whole();
  const before = await round();
  await withoutTriggers(
    db,
    "update accounts set pending = pending + 1, earned = earned + 1 where pending > 0",
  );
  await pause();
  expect(await incremental()).toMatchObject({ ok: false, reach: "incremental" });
  expect(await round()).toEqual(before);
  expect(await whole()).toMatchObject({ ok: false });
  expect(await round()).toBeUndefined();
  expect(await incremental()).toMatchObject({ ok: false, reach: "whole" });
  await withoutTriggers(
    db,
    "update accounts set pending = pending - 1, earned = earned - 1 where pending > 0",
  );
  expect(await incremental()).toMatchObject({ ok: true, reach: "whole" });
  expect(await incremental()).toMatchObject({ ok: true, reach: "incremental" });
});

test("the checkpoint stays correct while submits, cancels and finalizers run", async () => {
  await whole();
  let stopped = false;
  const work = times(2, async (worker) => {
    for (let turn = 0; !stopped; turn++) {
      const batchId = `busy-${worker}-${turn}`;
      const rows = [[worker + 30, "1.25"] as const, [(turn % 7) + 40, "2"] as const];
      await submit(contract, rows, { batchId, secondsToFinalize: turn % 3 === 0 ? 60 : 0 });
      if (turn % 3 === 0) await cancelBatch(context(), { contractAddress: contract, batchId });
      else await finalize();
    }
  });
  // Longer than any statement here and shorter than the test, so that the horizon moves while they run.
  const reports: LedgerReport[] = [];
  for (let check = 0; check < 8; check++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    reports.push(await incremental({ unsettledSeconds: 1 }));
  }
  stopped = true;
  await work;
  expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
  expect(reports.every(({ reach }) => reach === "incremental")).toBe(true);
  await expectLedgerToBalance(db);
});

test("swapping the addresses or amounts of two transfers changes the hash sum, trailing zeros do not", async () => {
  const hash = (address: string, points: string) => transferHash(db.sql, address, points, "created_at");
  const [row] = await db.sql<{ same: number; pairs: number; equal: number }[]>`
    select count(*)::int as pairs, count(*) filter (where ${hash("address", "points")}::numeric + ${hash("other", "more")}
      = ${hash("address", "more")}::numeric + ${hash("other", "points")})::int as same,
      count(*) filter (where ${hash("address", "more")} = ${hash("address", "long")})::int as equal
    from (
      select substring(sha256(n::text::bytea) for 20) as address, substring(sha256((-n)::text::bytea) for 20) as other,
        n::numeric as points, n + 0.25 as more, (n + 0.25)::numeric(38, 12) as long, timestamptz '2026-01-01Z' + n * interval '1 ms' as created_at
      from generate_series(1, 1000) as n
    ) as drawn`;
  expect(row).toEqual({ pairs: 1000, same: 0, equal: 1000 });
});
