import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { setLabel } from "@/server/recipients/labels";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import { LIMITS, snapshotOf, wallet, withoutTriggers } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { FOUND_HOLDERS_MAX, LARGEST_MAX } from "./find-holders";
import { exportHolders, readHoldersAfter } from "./list-holders";
import { MOVERS_MAX } from "./read-change";
import type { SnapshotOut } from "./schema";

const { db, context, newContract, submit, finalize } = useLedger();

const POINTS = { pointType: "PHASE2_POINTS" } as const;
const ofConsole = () => callerOf(db, "operator").snapshots;
const refused = (call: Promise<unknown>) =>
  call.then(
    () => "accepted",
    ({ cause }) => cause.code,
  );

/** From 0.000000000001 to 26 digits, with bounds of bands, what is just below them, and equal ones. */
const AMOUNTS = [
  ...["0.000000000001", "0.5", "1", "1.999999999999", "2", "4.999999999999", "5", "9.999999999999", "10"],
  ...["99.999999999999", "100", "10000000000000000000000000", "9999999999999999999999999.999999999999"],
  ...Array.from({ length: 240 }, (_, n) => String(1 + ((n * 37) % 90))),
];

type Held = { address: string; units: bigint };
let contract: string;
let before: SnapshotOut;
let after: SnapshotOut;

const take = () => snapshotOf(db, { ...POINTS, contractAddress: contract });

/** By address. */
const heldIn = async ({ id }: SnapshotOut): Promise<Held[]> =>
  (await readHoldersAfter(context(), id, Buffer.alloc(0), 10_000)).map(({ address, points }) => ({
    ...{ address: addressFromBytes(address), units: parseSum(shortestPoints(points)) },
  }));
const largestFirst = (held: readonly Held[]) =>
  held.toSorted((a, b) =>
    a.units === b.units
      ? a.address.toLowerCase() < b.address.toLowerCase()
        ? -1
        : 1
      : a.units < b.units
        ? 1
        : -1,
  );
const sumOf = (held: readonly Held[]) => held.reduce((sum, { units }) => sum + units, 0n);

beforeAll(async () => {
  contract = await newContract();
  const first = await submit(
    contract,
    AMOUNTS.map((points, n) => [1000 + n, points] as const),
  );
  await finalize();
  before = await take();
  await reverseBatch(context(), LIMITS, {
    contractAddress: contract,
    batchId: first,
    toAddresses: [wallet(1001), wallet(1008), wallet(1100)],
    secondsToFinalize: 0,
  });
  await submit(contract, [
    [1001, "0.25"],
    [1002, "7"],
    [1003, "0.000000000001"],
    [9000, "3"],
    [9001, "12345"],
  ]);
  await finalize();
  after = await take();
});

describe.each([
  ["before", () => before],
  ["after", () => after],
] as const)("of the snapshot %s, computed apart from the pages of its holders", (_, snapshot) => {
  test("every holder is on one page, in the order of addresses, and together they are its sum", async () => {
    const held = await heldIn(snapshot());
    expect(held.map(({ address }) => address.toLowerCase())).toEqual(
      held.map(({ address }) => address.toLowerCase()).toSorted(),
    );
    expect([held.length, formatPoints(sumOf(held))]).toEqual([snapshot().holders, snapshot().points]);
  });

  test("each band has the holders from its start to the next one's, and their exact sum", async () => {
    const held = await heldIn(snapshot());
    const { bands } = await ofConsole().spread({ snapshotId: snapshot().id });
    const expected = bands.map(({ from, to }) => {
      const inside = held.filter(({ units }) => units >= parseSum(from) && units < parseSum(to));
      return { from, to, holders: inside.length, points: formatPoints(sumOf(inside)) };
    });
    expect(bands).toEqual(expected);
    expect(bands.slice(1).map(({ from }) => from)).toEqual(bands.slice(0, -1).map(({ to }) => to));
    expect(bands.reduce((count, { holders }) => count + holders, 0)).toBe(snapshot().holders);
    expect(bands[0]!.holders * bands.at(-1)!.holders).toBeGreaterThan(0);
  });

  test("the largest, the median and what the top holders have together are those of the sorted list", async () => {
    const sorted = largestFirst(await heldIn(snapshot()));
    const { tops, largest, median } = await ofConsole().spread({ snapshotId: snapshot().id });
    expect([largest, median]).toEqual(
      [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!].map(({ units }) => formatPoints(units)),
    );
    expect(tops).toEqual(
      tops.map(({ holders }) => ({ holders, points: formatPoints(sumOf(sorted.slice(0, holders))) })),
    );
    expect(tops.map(({ holders }) => holders)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 80, 100, 130, 160, 200, 250],
      snapshot().holders,
    ]);
    expect(tops.at(-1)!.points).toBe(snapshot().points);
    const table = await ofConsole().largest({ snapshotId: snapshot().id });
    expect(table.map(({ address, points }) => [address, points])).toEqual(
      sorted.slice(0, LARGEST_MAX).map(({ address, units }) => [address, formatPoints(units)]),
    );
  });

  test("the text of the exported file has the digest of the snapshot", async () => {
    const hash = createHash("sha256");
    for await (const page of exportHolders(context(), snapshot()))
      for (const { address, points } of page) hash.update(`${address} ${points}\n`);
    expect(hash.digest("hex")).toBe(snapshot().digest);
  });
});

test("the change says who is new, gone, or has more or less than in the snapshot before, exactly", async () => {
  const [earlier, later] = [await heldIn(before), await heldIn(after)];
  const unitsIn = (held: Held[], address: string) =>
    held.find((holder) => holder.address === address)?.units ?? 0n;
  const addresses = [...new Set([...earlier, ...later].map(({ address }) => address))];
  const moved = addresses
    .map((address) => ({ address, from: unitsIn(earlier, address), to: unitsIn(later, address) }))
    .filter(({ from, to }) => from !== to);
  const kindOf = ({ from, to }: (typeof moved)[number]) =>
    from === 0n ? "JOINED" : to === 0n ? "LEFT" : to > from ? "MORE" : "LESS";
  const change = await ofConsole().change({ snapshotId: after.id });
  expect(change!.previous).toMatchObject({ id: before.id, contractAddress: contract });
  for (const kind of ["JOINED", "LEFT", "MORE", "LESS"] as const) {
    const those = moved.filter((each) => kindOf(each) === kind);
    const sum = those.reduce((total, { from, to }) => total + (to > from ? to - from : from - to), 0n);
    const expected = { kind, holders: those.length, points: formatPoints(sum) };
    expect(change!.groups.filter((group) => group.kind === kind)).toEqual([expected]);
  }
  const difference = ({ from, to }: (typeof moved)[number]) => (to > from ? to - from : from - to);
  const byDifference = moved.toSorted(
    (a, b) => Number(difference(b) > difference(a)) - Number(difference(b) < difference(a)),
  );
  expect(change!.movers.map(({ before: was, after: is }) => [was, is])).toEqual(
    byDifference.slice(0, MOVERS_MAX).map(({ from, to }) => [formatPoints(from), formatPoints(to)]),
  );
  expect(await ofConsole().change({ snapshotId: before.id })).toBeNull();
});

test("the spread and the change are computed by the worker that takes a snapshot; one of an earlier version has the same", async () => {
  const { id: snapshotId } = await take();
  const read = () => Promise.all([ofConsole().spread({ snapshotId }), ofConsole().change({ snapshotId })]);
  await db.sql`alter table snapshot_holders rename to renamed`;
  const stored = await read().finally(() => db.sql`alter table renamed rename to snapshot_holders`);
  await withoutTriggers(db, `update snapshots set figures = null where id = '${snapshotId}'`);
  expect(await read()).toEqual(stored);
  expect(stored[1]!.previous.id).toBe(after.id);
  await ofConsole().delete({ snapshotId });
});

test("a change is computed again once the snapshot before is deleted", async () => {
  const [first, second, third] = [await take(), await take(), await take()];
  await ofConsole().delete({ snapshotId: second.id });
  const change = await ofConsole().change({ snapshotId: third.id });
  expect(change).toMatchObject({ previous: { id: first.id }, groups: [], movers: [] });
  for (const { id } of [first, third]) await ofConsole().delete({ snapshotId: id });
});

test("each figure of a snapshot is read once, and none is served once it is deleted", async () => {
  const { id: snapshotId } = await take();
  const readers = ["spread", "largest", "change"] as const;
  const read = () => Promise.all(readers.map((name) => ofConsole()[name]({ snapshotId })));
  const first = await read();
  await db.sql`alter table snapshot_holders rename to renamed`;
  expect(await read().finally(() => db.sql`alter table renamed rename to snapshot_holders`)).toEqual(first);
  await ofConsole().delete({ snapshotId });
  for (const name of readers)
    expect(await refused(ofConsole()[name]({ snapshotId }))).toBe("snapshot_not_found");
});

test("a snapshot is not compared with one of another contract or type, or that includes contracts", async () => {
  const other = await newContract();
  await submit(other, [[1, "1"]]);
  await submit(other, [[1, "1"]], { pointType: "PHASE2_GOLD" });
  await finalize();
  const request = { contractAddress: other, ...POINTS };
  await snapshotOf(db, { ...request, includeContracts: true });
  await snapshotOf(db, { ...request, pointType: "PHASE2_GOLD" });
  const { id: snapshotId } = await snapshotOf(db, request);
  expect(await ofConsole().change({ snapshotId })).toBeNull();
});

test("holders are found by address, the start of one, and a part of their label, and nobody else is", async () => {
  const [holder, stranger] = [wallet(1002), wallet(77)];
  await setLabel(context(), { address: holder, label: "Treasury of Zürich" });
  await setLabel(context(), { address: stranger, label: "Treasury of Basel" });
  const find = async (text: string) =>
    (await ofConsole().find({ snapshotId: after.id, text })).map(({ address, label }) => [
      Number(address),
      label,
    ]);
  const found = [[1002, "Treasury of Zürich"]];
  expect(await find("treasury")).toEqual(found);
  expect(await find(holder)).toEqual(found);
  expect(await find(holder.toUpperCase().replace("0X", "0x"))).toEqual(found);
  expect(await find(stranger)).toEqual([]);
  expect(await find("0x0000000000000000000000000000000000000")).toHaveLength(FOUND_HOLDERS_MAX);
  // More begin like this than are shown, and one ends so.
  expect(await find(`0x0000…${wallet(9001).slice(-4)}`)).toEqual([[9001, null]]);
  expect(await find(wallet(9001).slice(0, -1))).toEqual([
    [9000, null],
    [9001, null],
  ]);
  expect(await find("0xf")).toEqual([]);
  expect(await find("no such label")).toEqual([]);
});

test("a snapshot without holders has no bands, no top holders and no largest one", async () => {
  const empty = await newContract();
  await submit(empty, [[1, "1"]], { secondsToFinalize: 3600 });
  const { id: snapshotId } = await snapshotOf(db, { contractAddress: empty, ...POINTS });
  expect(await ofConsole().spread({ snapshotId })).toEqual({
    ...{ largest: null, median: null, bands: [], tops: [] },
  });
  expect(await ofConsole().largest({ snapshotId })).toEqual([]);
});

describe("staff", () => {
  test("see snapshots of all scopes or of one, with who requested them", async () => {
    const { id } = await ofConsole().take({ ...POINTS, name: "everything" });
    const own = await ofConsole().list({ contractAddress: contract });
    expect(own.map((snapshot) => snapshot.id)).toEqual([after.id, before.id]);
    const overAll = await ofConsole().list({ contractAddress: null, ...POINTS });
    expect(overAll[0]).toMatchObject({
      id,
      contractAddress: null,
      requestedBy: "staff:operator@example.com",
    });
    expect(await ofConsole().list({ contractAddress: null, pointType: "PHASE2_GOLD" })).toEqual([]);
    const ids = (await ofConsole().list({})).map((snapshot) => snapshot.id);
    expect(ids).toEqual(expect.arrayContaining([id, before.id, after.id]));
    expect(await refused(ofConsole().spread({ snapshotId: id }))).toBe("snapshot_not_found");
    await ofConsole().delete({ snapshotId: id });
    expect(await refused(ofConsole().get({ snapshotId: id }))).toBe("snapshot_not_found");
  });

  test("may look as a viewer, but neither take nor delete", async () => {
    const { snapshots } = callerOf(db, "viewer");
    expect((await snapshots.get({ snapshotId: after.id })).digest).toBe(after.digest);
    expect(await refused(snapshots.take(POINTS))).toBe("not_allowed");
    expect(await refused(snapshots.delete({ snapshotId: after.id }))).toBe("not_allowed");
  });
});

test("a download of a snapshot that is deleted meanwhile ends with an error, not as a short file", async () => {
  const { id, holders } = await take();
  const pages = exportHolders(context(), { id, holders: holders + 1 });
  await pages.next();
  await expect(pages.next()).rejects.toMatchObject({ code: "snapshot_not_found" });
});
