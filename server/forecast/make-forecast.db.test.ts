import { expect, test } from "vitest";
import { approveBatch } from "@/server/batches/change/approve-batch";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import type { PointType } from "@/terms/batch-terms";
import { stoppedClock } from "@/testing/changed-statements";
import { setRule, withoutTriggers } from "@/testing/factories";
import { moveBatch } from "@/testing/move-in-time";
import { useLedger } from "@/testing/use-ledger";
import { makeForecast } from "./make-forecast";

const { db, context, newContract, submit } = useLedger();

/** "Now" for the forecasts below. In the future, so that no batch is finalized before. */
const NOW = "2036-05-20T21:40:00.500Z";
const NOTHING = { batchCount: 0, points: "0" };
const at = (now: string) => ({ ...context(), db: stoppedClock(db, new Date(now)) });

async function forecastOf(contractAddress: string, pointType: PointType = "PHASE2_POINTS", now = NOW) {
  const { forecasts } = await makeForecast(at(now), { contractAddress });
  return forecasts.find((each) => each.pointType === pointType)!;
}

/** The periods that have batches. */
const filled = (periods: { from: string; batchCount: number; points: string }[]) =>
  periods.filter(({ batchCount }) => batchCount > 0).map(({ from, ...due }) => [from, due]);

const WAIT_SECONDS = 3600;
const earlier = (at: string) => new Date(Date.parse(at) - WAIT_SECONDS * 1000).toISOString();

/** A batch that is due at the instant. */
async function dueAt(
  contractAddress: string,
  batchId: string,
  instant: string,
  rows: [number, string][] = [[1, "1"]],
  pointType?: PointType,
) {
  await submit(contractAddress, rows, { batchId, pointType, secondsToFinalize: WAIT_SECONDS });
  await moveBatch(db, { contractAddress, batchId }, { createdAt: earlier(instant) });
  await withoutTriggers(
    db,
    `update batches set finalize_at = '${instant}', wait_seconds = ${WAIT_SECONDS}
     where contract_address = decode('${contractAddress.slice(2)}', 'hex') and id = '${batchId}'`,
  );
}

test("what becomes due is in the hour and the day that begin at or before it, exact at every edge", async () => {
  const contract = await newContract();
  const instants = {
    now: NOW,
    "just after now": "2036-05-20T21:40:00.501Z",
    "end of the hour": "2036-05-20T21:59:59.999Z",
    "next hour": "2036-05-20T22:00:00.000Z",
    "end of the day": "2036-05-20T23:59:59.999Z",
    "next day": "2036-05-21T00:00:00.000Z",
    "end of 24 hours": "2036-05-21T20:59:59.999Z",
    "after 24 hours": "2036-05-21T21:00:00.000Z",
    "end of 30 days": "2036-06-18T23:59:59.999Z",
    "after 30 days": "2036-06-19T00:00:00.000Z",
  };
  for (const [index, [id, instant]] of Object.entries(instants).entries())
    await dueAt(contract, id.replaceAll(" ", "-"), instant, [
      [1, `${2 ** index}`],
      [2, "0.000000000001"],
    ]);
  const { overdue, hours, days, later } = await forecastOf(contract);
  const due = (points: string, batchCount = 1) => ({ batchCount, points });
  expect(overdue).toEqual(due("1.000000000001"));
  expect(hours.map(({ from }) => from)).toEqual(
    Array.from({ length: 24 }, (_, hour) =>
      new Date(Date.parse("2036-05-20T21:00:00.000Z") + hour * 3_600_000).toISOString(),
    ),
  );
  expect(filled(hours)).toEqual([
    ["2036-05-20T21:00:00.000Z", due("6.000000000002", 2)],
    ["2036-05-20T22:00:00.000Z", due("8.000000000001")],
    ["2036-05-20T23:00:00.000Z", due("16.000000000001")],
    ["2036-05-21T00:00:00.000Z", due("32.000000000001")],
    ["2036-05-21T20:00:00.000Z", due("64.000000000001")],
  ]);
  expect([days[0]!.from, days[29]!.from, days.length]).toEqual([
    "2036-05-20T00:00:00.000Z",
    "2036-06-18T00:00:00.000Z",
    30,
  ]);
  expect(filled(days)).toEqual([
    ["2036-05-20T00:00:00.000Z", due("30.000000000004", 4)],
    ["2036-05-21T00:00:00.000Z", due("224.000000000003", 3)],
    ["2036-06-18T00:00:00.000Z", due("256.000000000001")],
  ]);
  expect(later).toEqual(due("512.000000000001"));
});

test("what becomes due leaves out batches on hold or awaiting approval, due or not, and counts them apart until they are released or approved", async () => {
  const contractAddress = await newContract();
  await dueAt(contractAddress, "due", "2036-05-20T20:00:00Z", [[1, "2"]]);
  await dueAt(contractAddress, "ahead", "2036-05-20T23:30:00Z", [[1, "3"]]);
  await dueAt(contractAddress, "late", "2037-05-20T00:00:00Z", [[1, "5"]]);
  for (const batchId of ["due", "ahead", "late"])
    await holdBatch(context("staff:ann@example.com"), { contractAddress, batchId, reason: "check" });
  await setRule(db, contractAddress, { threshold: "7" });
  await dueAt(contractAddress, "large", "2036-05-20T20:00:00Z", [[1, "7"]]);
  const held = await forecastOf(contractAddress);
  expect(held.onHold).toEqual({ batchCount: 4, points: "17" });
  expect([held.overdue, held.later, filled(held.hours), filled(held.days)]).toEqual([
    NOTHING,
    NOTHING,
    [],
    [],
  ]);
  const staff = context("staff:ann@example.com");
  for (const batchId of ["due", "ahead", "late"])
    await releaseBatch(staff, { contractAddress, batchId, reason: "checked" });
  await approveBatch(staff, { contractAddress, batchId: "large", reason: "checked" });
  const released = await forecastOf(contractAddress);
  expect(released).toMatchObject({ onHold: NOTHING, overdue: { points: "9" }, later: { points: "5" } });
  expect(filled(released.hours)).toEqual([["2036-05-20T23:00:00.000Z", { batchCount: 1, points: "3" }]]);
});

const created = (contractAddress: string, batchId: string, points: string, createdAt: string) =>
  submit(contractAddress, [[1, points]], { batchId, secondsToFinalize: 3600 }).then(() =>
    moveBatch(db, { contractAddress, batchId }, { createdAt }),
  );

test("when points run out depends on what was submitted in the last seven days and not cancelled", async () => {
  const contractAddress = await newContract({ issuance: "PREFUNDED", granted: "100" });
  await created(contractAddress, "too-old", "10", "2036-05-13T21:40:00.500Z");
  await created(contractAddress, "oldest", "7", "2036-05-13T21:40:00.501Z");
  await created(contractAddress, "latest", "7", "2036-05-20T21:00:00Z");
  await created(contractAddress, "cancelled", "20", "2036-05-20T21:00:00Z");
  await cancelBatch(context(), { contractAddress, batchId: "cancelled" });
  // 76 at 2 a day last 38 days. Rounded down to the minute.
  expect(await forecastOf(contractAddress)).toMatchObject({
    available: "76",
    submittedLast7Days: "14",
    runsOutAt: "2036-06-27T21:40:00.000Z",
  });
  expect(await forecastOf(contractAddress, "PHASE2_GOLD")).toMatchObject({
    available: "0",
    submittedLast7Days: "0",
    runsOutAt: null,
  });
});

test("when points run out is now when nothing is left, and never without a pace, after a hundred years or on demand", async () => {
  const [spent, idle, rich] = [
    await newContract({ issuance: "PREFUNDED", granted: "7" }),
    await newContract({ issuance: "PREFUNDED", granted: "7" }),
    await newContract({ issuance: "PREFUNDED", granted: "99999999999999999999999999" }),
  ];
  const issuing = await newContract();
  await created(spent, "all", "7", "2036-05-19T00:00:00Z");
  await created(rich, "little", "0.01", "2036-05-19T00:00:00Z");
  await created(issuing, "some", "7", "2036-05-19T00:00:00Z");
  await submit(issuing, [[1, "7"]], { batchId: "cancelled", secondsToFinalize: 3600 });
  await cancelBatch(context(), { contractAddress: issuing, batchId: "cancelled" });
  expect(await forecastOf(spent)).toMatchObject({ available: "0", runsOutAt: "2036-05-20T21:40:00.000Z" });
  expect(await forecastOf(idle)).toMatchObject({ available: "7", submittedLast7Days: "0", runsOutAt: null });
  expect(await forecastOf(rich)).toMatchObject({ submittedLast7Days: "0.01", runsOutAt: null });
  expect(await forecastOf(issuing)).toMatchObject({
    available: "7",
    submittedLast7Days: "7",
    runsOutAt: null,
  });
});
