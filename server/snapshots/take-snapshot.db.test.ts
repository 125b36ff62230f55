import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { grantPoints } from "@/server/ledger/issuances";
import { LIMITS, snapshotOf, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { listHolders } from "./list-holders";
import type { SnapshotOut } from "./schema";

const { db, context, newContract, submit, finalize } = useLedger();

const POINTS = { pointType: "PHASE2_POINTS" } as const;

/** The time of the database. Later finalizing has another millisecond. */
async function instant(): Promise<string> {
  const [row] = await db.sql<
    { at: string }[]
  >`select to_char(clock_timestamp()::timestamptz(3) at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;
  await new Promise((resolve) => setTimeout(resolve, 3));
  return row!.at;
}

const pay = async (contract: string, ...rows: [number | string, string][]) => {
  const id = await submit(contract, rows);
  await finalize();
  return id;
};
const takeBack = async (contractAddress: string, batchId: string, to: number) => {
  await reverseBatch(context(), LIMITS, {
    contractAddress,
    batchId,
    toAddresses: [wallet(to)],
    secondsToFinalize: 0,
  });
  await finalize();
};
/** All holders of a contract's snapshot, as `wallet number: points`. */
const holdersOf = async (contractAddress: string, { id: snapshotId }: SnapshotOut) => {
  const { holders } = await listHolders(context(), { contractAddress, snapshotId, ...POINTS });
  return Object.fromEntries(holders.map(({ address, points }) => [Number(address), points]));
};

describe("a snapshot of a contract", () => {
  test("has what it paid and did not take back, and nothing that is pending, cancelled or of another contract or type", async () => {
    const [contract, other] = [await newContract(), await newContract()];
    const batchId = await pay(contract, [1, "10.5"], [2, "2"], [3, "0.01"]);
    await pay(contract, [1, "0.25"]);
    await takeBack(contract, batchId, 2);
    await pay(other, [1, "100"]);
    await submit(contract, [[4, "5"]], { secondsToFinalize: 3600 });
    const cancelled = await submit(contract, [[5, "5"]], { secondsToFinalize: 3600 });
    await cancelBatch(context(), { contractAddress: contract, batchId: cancelled });
    await submit(contract, [[6, "7"]], { pointType: "PHASE2_GOLD" });
    await finalize();
    const snapshot = await snapshotOf(db, { contractAddress: contract, ...POINTS, name: "season 1" });
    expect(snapshot).toMatchObject({
      ...{
        name: "season 1",
        status: "TAKEN",
        holders: 2,
        points: "10.76",
        leftOut: "0",
        ledgerTotal: "10.76",
      },
      digest: createHash("sha256")
        .update(`${wallet(1)} 10.75\n${wallet(3)} 0.01\n`)
        .digest("hex"),
    });
    expect(await holdersOf(contract, snapshot)).toEqual({ 1: "10.75", 3: "0.01" });
  });

  test("leaves out registered contracts, unless it was asked to include them", async () => {
    const [contract, recipient] = [await newContract(), await newContract({ issuance: "PREFUNDED" })];
    await pay(contract, [1, "1"], [recipient, "2.5"]);
    const request = { contractAddress: contract, ...POINTS };
    expect(await snapshotOf(db, request)).toMatchObject({ holders: 1, points: "1", leftOut: "2.5" });
    expect(await snapshotOf(db, { ...request, includeContracts: true })).toMatchObject({
      ...{ holders: 2, points: "3.5", leftOut: "0" },
    });
  });
});

describe("a snapshot over all contracts", () => {
  test("adds up to everything that was issued, with what contracts still have left out", async () => {
    const funded = await newContract({ issuance: "PREFUNDED", granted: "100" });
    await pay(funded, [11, "40"]);
    const snapshot = await snapshotOf(db, POINTS);
    const [issued] = await db.sql<{ sum: string }[]>`
      select trim_scale(sum(points))::text from issuances where point_type = 'PHASE2_POINTS'`.values();
    expect(snapshot).toMatchObject({ status: "TAKEN", ledgerTotal: issued![0] });
    expect(Number(snapshot.leftOut)).toBeGreaterThanOrEqual(60);
  });

  test("of an earlier instant is the one taken then, whatever was paid, taken back, granted and registered since", async () => {
    const contract = await newContract();
    const funded = await newContract({ issuance: "PREFUNDED", granted: "10" });
    const batchId = await pay(contract, [21, "3"], [22, "4"]);
    const requests = [POINTS, { ...POINTS, contractAddress: contract }].flatMap((request) => [
      request,
      { ...request, includeContracts: true },
    ]);
    const before: SnapshotOut[] = [];
    for (const request of requests) before.push(await snapshotOf(db, request));
    const moments = [await instant()];
    await takeBack(contract, batchId, 21);
    moments.push(await instant());
    await grantPoints(context("ops"), { contractAddress: funded, ...POINTS, points: "5" });
    await pay(contract, [22, "1"], [23, "9"]);
    await pay(funded, [22, "0.5"]);
    // One of the holders becomes a contract, and is paid and issued points.
    await newContract({ address: wallet(22) });
    await pay(wallet(22), [24, "6"]);
    for (const [at, request] of requests.entries()) {
      const { digest, points, leftOut, ledgerTotal, holders, asOf } = before[at]!;
      const again = await snapshotOf(db, { ...request, asOf });
      expect(again).toMatchObject({ status: "TAKEN", digest, points, leftOut, ledgerTotal, holders, asOf });
    }
    const later = { contractAddress: contract, ...POINTS };
    expect(await snapshotOf(db, { ...later, asOf: moments[0]! })).toMatchObject({ points: "7", holders: 2 });
    expect(await snapshotOf(db, { ...later, asOf: moments[1]! })).toMatchObject({ points: "4", holders: 1 });
  });
});

test("rows are full where most recipients are registered contracts, so a page needs two at most", async () => {
  const contract = await newContract();
  const size = 2000;
  for (let batch = 0; batch < 6; batch++)
    await submit(
      contract,
      Array.from({ length: size }, (_, at) => [3_000_000 + batch * size + at, "1"] as const),
    );
  await finalize();
  // All but 10 of the first 10,000 and all but 10 of the others.
  await db.sql`
    with registered as (
      insert into contracts (address, label, issuance)
      select decode(lpad(to_hex(n), 40, '0'), 'hex'), 'c', 'ON_DEMAND'
      from generate_series(3000010, 3011989) as n returning address
    ) insert into accounts (address, point_type)
    select address, unnest(enum_range(null::point_type)) from registered on conflict do nothing`;
  const snapshot = await snapshotOf(db, { contractAddress: contract, ...POINTS });
  expect(snapshot).toMatchObject({ holders: 20, points: "20", leftOut: "11980" });
  const [rows] = await db.sql`select count(*)::int as count from snapshot_holders
    where snapshot_id = uuid_send(${snapshot.id}::uuid)`;
  expect(rows).toEqual({ count: 1 });
});
