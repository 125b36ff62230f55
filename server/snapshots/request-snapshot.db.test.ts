import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { checkLedger, runCheck, storeIncompleteCheck } from "@/server/ledger/run-check";
import { CHECKS } from "@/server/operations/self-check";
import { expectLedgerToBalance, refusalOf } from "@/testing/expectations";
import { explain, nodesOf, rowsRead, statementsOf } from "@/testing/explain";
import { nextAddress, snapshotOf, times, wallet, withoutTriggers } from "@/testing/factories";
import { untilBlocked, waitsForLock } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { deleteSnapshot } from "./delete-snapshot";
import { listHolders } from "./list-holders";
import { listSnapshots } from "./list-snapshots";
import { holdings, readLedgerTotal, type SnapshotScope } from "./read-holdings";
import { requestSnapshot } from "./request-snapshot";
import { SNAPSHOTS_MAX } from "./schema";
import { takeSnapshots } from "./take-snapshot";

const { db, context, newContract, submit, finalize } = useLedger();

const POINTS = { pointType: "PHASE2_POINTS" } as const;
const storedSnapshots = async () =>
  (await db.sql`select count(*)::int as count from snapshots`)[0]!.count as number;

let contractAddress: string;
beforeEach(async () => {
  contractAddress = await newContract();
  await submit(contractAddress, [
    [1, "10.5"],
    [2, "2"],
  ]);
  await finalize();
});

describe("a snapshot is refused with the reason, and nothing is stored:", () => {
  const minutes = (from: number) => new Date(Date.now() + from * 60_000).toISOString();
  const cases: [string, object, string, RegExp][] = [
    ["of a time in the future", { asOf: minutes(5) }, "out_of_range", /^\/asOf must not be in the future\.$/],
    [
      "of a time before the first batch",
      { asOf: minutes(-5) },
      "out_of_range",
      /before .*Z, the time of the first batch\.$/,
    ],
    [
      "of a contract without a batch",
      { contractAddress: "empty" },
      "out_of_range",
      /first batch, and there is none/,
    ],
    [
      "of a contract that is not registered",
      { contractAddress: "none" },
      "contract_not_found",
      /not registered/,
    ],
  ];
  test.each(cases)("%s", async (_, change, code, detail) => {
    const before = await storedSnapshots();
    const given = { contractAddress, ...POINTS, ...change };
    if (given.contractAddress === "empty") given.contractAddress = await newContract();
    if (given.contractAddress === "none") given.contractAddress = nextAddress();
    const refusal = await refusalOf(requestSnapshot(context(), given));
    expect([refusal.options.errors?.[0]?.code ?? refusal.code, refusal.message]).toEqual([
      code,
      expect.stringMatching(detail),
    ]);
    expect(await storedSnapshots()).toBe(before);
  });

  test("while the last self-check that completed found a difference", async () => {
    const check = () => runCheck(db, { startedBy: "test", secondsMax: 30, checks: CHECKS });
    await withoutTriggers(
      db,
      `update accounts set received = received + 1 where address = '\\x${wallet(1).slice(2)}'`,
    );
    await check();
    // It says nothing about the ledger.
    await storeIncompleteCheck(db, "test", new Date(), "It took too long.");
    const refusal = await refusalOf(requestSnapshot(context(), { contractAddress, ...POINTS }));
    expect(refusal.code).toBe("ledger_not_in_balance");
    await withoutTriggers(
      db,
      `update accounts set received = received - 1 where address = '\\x${wallet(1).slice(2)}'`,
    );
    await check();
    expect(await snapshotOf(db, { contractAddress, ...POINTS })).toMatchObject({ status: "TAKEN" });
  });

  test("one more than are kept", async () => {
    await db.sql`
      insert into snapshots (id, name, point_type, contract_address, includes_contracts, as_of, status,
        requested_by, finished_at, failure)
      select gen_random_uuid(), 'old', 'PHASE2_POINTS', ${addressToBytes(contractAddress)}::bytea, false, now(),
        'FAILED', 'ops', now(), 'old'
      from generate_series(1, ${SNAPSHOTS_MAX}::int)`;
    const refusal = await refusalOf(requestSnapshot(context(), { contractAddress, ...POINTS }));
    expect(refusal.message).toMatch(/already 100 snapshots, which is the limit/);
    const [old] = await listSnapshots(context(), { contractAddress });
    await deleteSnapshot(context("ops"), { snapshotId: old!.id }, removeAllocationsOf);
    expect(await snapshotOf(db, { contractAddress, ...POINTS })).toMatchObject({ status: "TAKEN" });
  });
});

test("a snapshot without a name is called by its points and its time in UTC", async () => {
  const { name, asOf } = await snapshotOf(db, { contractAddress, ...POINTS });
  expect(name).toBe(`Points, ${asOf.slice(0, 10)} ${asOf.slice(11, 16)}`);
});

test("many requests at the same time store one snapshot, and one audit entry", async () => {
  const requested = await times(8, () =>
    requestSnapshot(context("ops"), { contractAddress, ...POINTS, name: "x" }),
  );
  expect(new Set(requested.map(({ id }) => id)).size).toBe(1);
  const { id } = requested[0]!;
  const [audit] =
    await db.sql`select count(*)::int as count, min(action) as action, min(detail ->> 'name') as name
    from audit_log where target = ${`snapshot:${id}`}`;
  expect(audit).toEqual({ count: 1, action: "snapshot.take", name: "x" });
  await snapshotOf(db, { contractAddress, ...POINTS, name: "x" });
});

test("deleting a snapshot deletes its holders and is audited, and the others stay", async () => {
  const [first, second] = [
    await snapshotOf(db, { contractAddress, ...POINTS }),
    await snapshotOf(db, { contractAddress, ...POINTS }),
  ];
  await deleteSnapshot(context("ops"), { snapshotId: second.id }, removeAllocationsOf);
  const { snapshot, holders } = await listHolders(context(), { contractAddress, ...POINTS });
  expect([snapshot.id, holders.length]).toEqual([first.id, 2]);
  const again = await refusalOf(
    deleteSnapshot(context("ops"), { snapshotId: second.id }, removeAllocationsOf),
  );
  expect(again.code).toBe("snapshot_not_found");
  const audited =
    await db.sql`select action from audit_log where target = ${`snapshot:${second.id}`} order by id`;
  expect(audited.map(({ action }) => action)).toEqual(["snapshot.take", "snapshot.delete"]);
});

test("a request without a time does not return a running snapshot of an earlier one", async () => {
  const asOf = new Date(Date.now() - 60_000).toISOString();
  const [running] = await db.sql<{ id: string }[]>`
    insert into snapshots (id, name, point_type, contract_address, includes_contracts, as_of, requested_by)
    values (gen_random_uuid(), 'earlier', 'PHASE2_POINTS', ${addressToBytes(contractAddress)}::bytea, false,
      ${asOf}::timestamptz, 'ops') returning id`;
  const refusal = await refusalOf(requestSnapshot(context(), { contractAddress, ...POINTS }));
  expect(refusal.code).toBe("unavailable");
  const same = await requestSnapshot(context(), { contractAddress, ...POINTS, asOf });
  expect(same.id).toBe(running!.id);
  await takeSnapshots(db);
});

test("a request is to be retried when the one that it met has just ended, and not refused for the limit", async () => {
  const [first, end] = [await db.sql.reserve(), await db.sql.reserve()];
  await first`begin`;
  await first`
    insert into snapshots (id, name, point_type, contract_address, includes_contracts, as_of, requested_by)
    values (gen_random_uuid(), 'first', 'PHASE2_POINTS', ${addressToBytes(contractAddress)}::bytea, false,
      now(), 'ops')`;
  const refused = refusalOf(requestSnapshot(context(), { contractAddress, ...POINTS }));
  await untilBlocked(db);
  await end`begin`;
  const [session] = await end<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const ended = end`lock table snapshots in access exclusive mode`.then(() => undefined);
  while (!(await waitsForLock(db, session!.pid))) await sleep(5);
  await first`commit`;
  await ended;
  await end`delete from snapshots where name = 'first'`;
  await end`commit`;
  expect((await refused).code).toBe("unavailable");
  for (const own of [first, end]) own.release();
});

describe("a page of holders", () => {
  test("is refused, and not empty, when its snapshot is deleted while it is read", async () => {
    const { id } = await snapshotOf(db, { contractAddress, ...POINTS });
    const { cursor } = await listHolders(context(), { contractAddress, ...POINTS, limit: 1 });
    for (const place of [{}, { cursor: cursor! }]) {
      const { id: snapshotId } = place.cursor ? { id } : await snapshotOf(db, { contractAddress, ...POINTS });
      const reading = await db.sql.begin(async (tx) => {
        await tx`lock table snapshot_holders in access exclusive mode`;
        const page = listHolders(context(), { contractAddress, ...POINTS, snapshotId, ...place });
        const refusal = refusalOf(page);
        refusal.catch(() => undefined);
        await untilBlocked(db);
        await tx`delete from snapshots where id = ${snapshotId}::uuid`;
        await tx`delete from snapshot_holders where snapshot_id = uuid_send(${snapshotId}::uuid)`;
        return { refusal };
      });
      expect((await reading.refusal).code).toBe("snapshot_not_found");
    }
  });

  test("continues in the snapshot that its cursor is for, and not in a newer one", async () => {
    const first = await snapshotOf(db, { contractAddress, ...POINTS });
    const page = await listHolders(context(), { contractAddress, ...POINTS, limit: 1 });
    expect(page).toMatchObject({
      holders: [{ address: wallet(1), points: "10.5" }],
      cursor: expect.any(String),
    });
    await submit(contractAddress, [[3, "1"]]);
    await finalize();
    await snapshotOf(db, { contractAddress, ...POINTS });
    const next = { contractAddress, ...POINTS, limit: 1, cursor: page.cursor! };
    expect((await refusalOf(listHolders(context(), next))).code).toBe("cursor_mismatch");
    expect(await listHolders(context(), { ...next, snapshotId: first.id })).toMatchObject({
      ...{ holders: [{ address: wallet(2), points: "2" }], cursor: null },
    });
  });

  test("is refused for a snapshot of another contract, of another point type, or over all contracts", async () => {
    const { id: snapshotId } = await snapshotOf(db, { contractAddress, ...POINTS });
    const { id: ofAll } = await snapshotOf(db, POINTS);
    const other = await newContract();
    const wrong = [
      { contractAddress: other, ...POINTS, snapshotId },
      { contractAddress: other, ...POINTS },
      { contractAddress, pointType: "PHASE2_GOLD" as const, snapshotId },
      { contractAddress, ...POINTS, snapshotId: ofAll },
    ];
    for (const input of wrong)
      expect((await refusalOf(listHolders(context(), input))).code).toBe("snapshot_not_found");
  });
});

describe("a taken snapshot", () => {
  test.each([
    ["its sum", "update snapshots set points = points + 1, ledger_total = ledger_total + 1"],
    ["a holder", "update snapshot_holders set points = points"],
    ["its instant, when it is taken", "update snapshots set as_of = now()"],
  ])("does not let the database change %s", async (_, change) => {
    await snapshotOf(db, { contractAddress, ...POINTS });
    await expect(db.sql.unsafe(change)).rejects.toThrow(/never changed once they are taken/);
  });

  test.each([
    ["an amount", "update snapshot_holders set points = array[10.5, 3]"],
    ["two amounts, which no sum shows", "update snapshot_holders set points = array[2, 10.5]"],
    ["lost holders", "delete from snapshot_holders"],
    ["a digest", "update snapshots set digest = sha256('')"],
    ["a sum", "update snapshots set points = points + 1, ledger_total = ledger_total + 1"],
  ])("is found by the self-check, whole and incremental, when somebody changed %s", async (_, change) => {
    const options = { startedBy: "test", secondsMax: 30, checks: CHECKS, slices: 3, unsettledSeconds: 0 };
    await db.sql`delete from snapshots`;
    await db.sql`delete from snapshot_holders`;
    await runCheck(db, options);
    const { id } = await snapshotOf(db, { contractAddress, ...POINTS });
    for (let slice = 0; slice < 2; slice++)
      expect(await runCheck(db, { ...options, reach: "incremental" })).toMatchObject({ ok: true });
    await withoutTriggers(db, change);
    const { findings } = await checkLedger(db, CHECKS);
    expect(findings).toEqual([
      {
        rule: "snapshots_unchanged",
        detail: expect.stringMatching(`snapshot ${id}: stored 2 holders|${id}: stored`),
      },
    ]);
    let isFound = false;
    for (let slice = 0; slice < 3 && !isFound; slice++)
      isFound = !(await runCheck(db, { ...options, reach: "incremental" }))!.ok;
    expect(isFound).toBe(true);
    await deleteSnapshot(context("ops"), { snapshotId: id }, removeAllocationsOf);
    await db.sql`delete from snapshot_holders`;
    await expectLedgerToBalance(db);
    await runCheck(db, options);
  });
});

test("a snapshot of a ledger whose sums do not match fails, with both sides, and keeps no holder", async () => {
  await withoutTriggers(
    db,
    `update accounts set received = received + 1 where address = '\\x${wallet(1).slice(2)}'`,
  );
  const failed = await snapshotOf(db, POINTS);
  expect(failed).toMatchObject({
    ...{ status: "FAILED", digest: null, holders: 0, points: "0" },
    failure: expect.stringMatching(
      /^The holders have [\d.]+ points, and [\d.]+ were left out\. The ledger's total is /,
    ),
  });
  const [left] = await db.sql`select count(*)::int as count from snapshot_holders
    where snapshot_id = uuid_send(${failed.id}::uuid)`;
  expect(left).toEqual({ count: 0 });
  await withoutTriggers(
    db,
    `update accounts set received = received - 1 where address = '\\x${wallet(1).slice(2)}'`,
  );
});

test("an earlier instant reads what came after it by indexes, and a contract's snapshot only its own batches", async () => {
  const other = await newContract();
  for (let batch = 0; batch < 200; batch++) await submit(other, [[batch + 100, "1"]]);
  for (let batch = 0; batch < 5; batch++) await submit(contractAddress, [[batch + 10, "1"]]);
  await finalize();
  const [at] = await db.sql<{ asOf: string }[]>`
    select to_char(max(finalized_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "asOf"
    from batches`;
  await submit(contractAddress, [[30, "1"]]);
  await finalize();
  await db.sql`analyze`;
  const scope: SnapshotScope = { ...POINTS, contract: null, includesContracts: false, asOf: at!.asOf };
  const plansOf = async (of: SnapshotScope) => {
    const { sent } = await statementsOf(db.url, async (sql) => {
      await holdings(sql as never, of);
      await readLedgerTotal(sql as never, of);
    });
    const options = { analyze: true, avoidSeqScan: true };
    return nodesOf(
      (await Promise.all(sent.map(({ text, values }) => explain(db, text, values, options)))).flat(),
    );
  };
  const overall = await plansOf(scope);
  // One batch with one transfer and one issuance came later. Each is read twice, and a few others by a filter.
  expect(rowsRead(overall, ["batches", "batch_transfers"])).toBeLessThanOrEqual(6);
  expect(rowsRead(overall, ["issuances"])).toBeLessThanOrEqual(4);
  const ofContract = await plansOf({ ...scope, contract: addressToBytes(contractAddress) });
  expect(rowsRead(ofContract, ["batches"])).toBeLessThanOrEqual(2 * 7);
  expect(rowsRead(ofContract, ["batch_transfers"]) || Number.NaN).toBeLessThanOrEqual(7);
  expect(rowsRead(ofContract, ["accounts", "issuances"])).toBe(0);
});
