import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { ATTEMPTS_MAX } from "@/server/kernel/held-job";
import { openBefore } from "@/server/ledger/settled-through";
import { expectSnapshotsToReconcile, refusalOf } from "@/testing/expectations";
import { LIMITS, snapshotOf, testContext, wallet } from "@/testing/factories";
import {
  finalizing,
  interleavings,
  openWorker,
  runInOrder,
  stepsOf,
  type Transaction,
  untilBlocked,
} from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { deleteSnapshot } from "./delete-snapshot";
import { listHolders } from "./list-holders";
import { readSnapshots } from "./list-snapshots";
import { requestSnapshot } from "./request-snapshot";
import type { SnapshotOut } from "./schema";
import { takeSnapshots } from "./take-snapshot";

const { db, context, newContract, submit, finalize, balance } = useLedger({ poolMax: 20 });

const POINTS = { pointType: "PHASE2_POINTS" } as const;

const read = async ({ id }: { id: string }) => (await readSnapshots(context(), db.sql`id = ${id}::uuid`))[0];

/** Takes what was requested, however long open transactions keep it waiting. */
async function whenTaken(requested: SnapshotOut): Promise<SnapshotOut> {
  for (;;) {
    await takeSnapshots(db);
    const snapshot = (await read(requested))!;
    if (snapshot.status !== "RUNNING") return snapshot;
    await sleep(5);
  }
}

describe("in every order of a change, a request and its taking, a snapshot has all of a batch or nothing:", () => {
  /** Of a finalizer's two transactions, the one that credits. */
  async function settling(ends: Transaction["ends"]): Promise<Transaction[]> {
    const [claim, settle] = finalizing(ends);
    await claim!.run(db);
    return [settle!];
  }

  /** They are paid or taken back in one transaction, or their batch is cancelled. */
  const TWO_ROWS = [[1, "1"] as const, [2, "10"] as const];
  const changes = {
    "a payment": async (contract: string) => {
      await submit(contract, TWO_ROWS);
      return settling("commit");
    },
    "a payment that a crash undoes": async (contract: string) => {
      await submit(contract, TWO_ROWS);
      return settling("rollback");
    },
    "a reversal": async (contractAddress: string) => {
      const batchId = await submit(contractAddress, TWO_ROWS);
      await finalize();
      await reverseBatch(context(), LIMITS, { contractAddress, batchId, secondsToFinalize: 0 });
      return settling("commit");
    },
    "a cancelled batch": async (contractAddress: string): Promise<Transaction[]> => {
      const batchId = await submit(contractAddress, TWO_ROWS, { secondsToFinalize: 3600 });
      return [{ ends: "commit", run: (own) => cancelBatch(testContext(own), { contractAddress, batchId }) }];
    },
  };

  test.each(Object.entries(changes))("%s", async (_, change) => {
    const steps = stepsOf(await change(await newContract()));
    await finalize();
    for (const order of interleavings(steps, 4)) {
      const contractAddress = await newContract();
      await submit(contractAddress, [[3, "100"]]);
      await finalize();
      const a = await change(contractAddress);
      const requests = [{ ...POINTS, contractAddress }, POINTS];
      let requested: SnapshotOut[] = [];
      const b: Transaction[] = [
        {
          ends: "commit",
          async run(own) {
            for (const request of requests)
              requested = [...requested, await requestSnapshot(testContext(own), request)];
          },
        },
        { ends: "commit", run: () => sleep(120).then(() => takeSnapshots(db)) },
      ];
      await runInOrder(db, order, { a, b });
      const taken = [await whenTaken(requested[0]!), await whenTaken(requested[1]!)];
      expect(["100", "111"], order).toContain(taken[0]!.points);
      await finalize();
      // What counts as before stays before, however the transactions ended.
      for (const [at, request] of requests.entries()) {
        const { asOf, digest } = taken[at]!;
        expect(await snapshotOf(db, { ...request, asOf }), order).toMatchObject({ status: "TAKEN", digest });
      }
      await expectSnapshotsToReconcile(db);
      await db.sql`delete from snapshots`;
      await db.sql`delete from snapshot_holders`;
    }
  });
});

describe("a snapshot waits for transactions that began before its instant:", () => {
  const began: [string, (own: Database["sql"]) => PromiseLike<unknown>, boolean, end?: string][] = [
    ["one that has done nothing yet", async () => undefined, true],
    ["one that locked a row", (own) => own`select 1 from contracts for share`, true],
    ["one that wrote", (own) => own`update accounts set pending = pending`, true],
    [
      "one that wrote, and whose start Postgres hides",
      async (own) => {
        await own`set local track_activities = off`;
        await own`update accounts set pending = pending`;
      },
      true,
    ],
    [
      "one that has done nothing yet, and whose start Postgres hides",
      async (own) => await own`set local track_activities = off`,
      true,
    ],
    ["but not for one that only reads", (own) => own`select count(*) from accounts`, false],
    [
      "one that was prepared for a commit in two phases",
      (own) => own.unsafe("select txid_current(); prepare transaction 'snapshots'"),
      true,
      "rollback prepared 'snapshots'",
    ],
  ];
  test.each(began)("%s", async (_, begin, waits, end = "rollback") => {
    await newContract();
    const own = await db.sql.reserve();
    await own`begin`;
    await begin(own as unknown as Database["sql"]);
    const [now] = await db.sql<{ at: string }[]>`select clock_timestamp()::timestamptz(3)::text as at`;
    const { at } = now!;
    await sleep(150);
    expect((await openBefore(db, at))?.length === 0).toBe(!waits);
    await own.unsafe(end);
    own.release();
    expect((await openBefore(db, at))?.length === 0).toBe(true);
  });
});

test("a snapshot waits for a transaction that has only read and waits for a lock", async () => {
  const [reader, locker] = [await db.sql.reserve(), await db.sql.reserve()];
  await reader`begin`;
  await reader`select 1 from contracts`;
  const [now] = await db.sql<{ at: string }[]>`select clock_timestamp()::text as at`;
  await sleep(150);
  expect((await openBefore(db, now!.at))?.length === 0).toBe(true);
  await locker`begin`;
  await locker`lock table issuances in access exclusive mode`;
  const waiting = reader`select 1 from issuances`.then(() => undefined);
  await untilBlocked(db);
  expect((await openBefore(db, now!.at))?.length === 0).toBe(false);
  await locker`rollback`;
  await waiting;
  await reader`rollback`;
  for (const own of [reader, locker]) own.release();
});

test.each([
  ["does not wait for a transaction of a role that may only read", "in role pg_read_all_data", true],
  ["waits for one of a role that can become one that writes", "noinherit in role pg_write_all_data", false],
])("a snapshot %s", async (_, rights, isSettled) => {
  await db.sql.unsafe(`create role notebook login password 'p' ${rights}`);
  const url = Object.assign(new URL(db.url), { username: "notebook", password: "p" }).href;
  const other = createDatabase({ url, poolMax: 1, timeoutSeconds: 30, pooler: "none" });
  const own = await other.sql.reserve();
  await own`begin`;
  await own`select 1`;
  const [now] = await db.sql<{ at: string }[]>`select clock_timestamp()::timestamptz(3)::text as at`;
  await sleep(150);
  const open = await openBefore(db, now!.at);
  expect(open).toEqual(isSettled ? [] : [expect.stringMatching(/^process \d+ of notebook, since 2/)]);
  await own`rollback`;
  own.release();
  await other.close();
  await db.sql`drop role notebook`;
});

test("a snapshot does not wait for VACUUM", async () => {
  await newContract();
  const own = await db.sql.reserve();
  const [session] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await own`set vacuum_cost_delay = 100`;
  await own`set vacuum_cost_limit = 1`;
  const vacuum = own`vacuum (disable_page_skipping) pg_catalog.pg_attribute`.catch(() => undefined);
  const hasIndexes = () => db.sql`select 1 from pg_locks
    where pid = ${session!.pid}::int and mode = 'RowExclusiveLock'`;
  while ((await hasIndexes()).length === 0) await sleep(1);
  const [now] = await db.sql<{ at: string }[]>`select clock_timestamp()::text as at`;
  await sleep(150);
  expect(await hasIndexes()).not.toEqual([]);
  const isSettled = (await openBefore(db, now!.at))?.length === 0;
  await db.sql`select pg_cancel_backend(${session!.pid}::int)`;
  await vacuum;
  await own`reset all`;
  own.release();
  expect(isSettled).toBe(true);
});

test("a snapshot that waits for ten minutes fails with the reason", async () => {
  const contractAddress = await newContract();
  await submit(contractAddress, [[1, "1"]]);
  const requested = await requestSnapshot(context(), { ...POINTS, contractAddress });
  const own = await db.sql.reserve();
  await own.unsafe("begin; select txid_current(); prepare transaction 'stray'");
  own.release();
  await db.sql`update snapshots set requested_at = requested_at - interval '11 minutes'
    where id = ${requested.id}::uuid`;
  while ((await openBefore(db, requested.asOf)) === null) await sleep(5);
  await takeSnapshots(db);
  await db.sql`rollback prepared 'stray'`;
  const failure = expect.stringMatching(/^Transactions .* have not ended: the prepared stray\.$/);
  expect(await read(requested)).toMatchObject({ status: "FAILED", failure });
});

describe("while a snapshot of several rows is being stored,", () => {
  const GATE = 9_000_001;
  const END_GATE = 9_000_002;
  let contract: string;
  let gate: Awaited<ReturnType<Database["sql"]["reserve"]>>;
  let worker: Database;
  let kill: () => Promise<void>;
  let requested: SnapshotOut;
  let working: Promise<unknown>;
  let whole: string;

  beforeAll(async () => {
    contract = await newContract();
    await newContract({ address: wallet(7) });
    for (let batch = 0; batch < 6; batch++)
      await submit(
        contract,
        Array.from({ length: 2000 }, (_, at) => [batch * 2000 + at + 1, "0.5"] as const),
      );
    await finalize();
    ({ digest: whole } = (await snapshotOf(db, { ...POINTS, contractAddress: contract })) as {
      digest: string;
    });
    await db.sql`create function wait_at_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(tg_argv[0]::bigint); return new; end $$`;
  });

  /** The first row is stored, and the second waits. */
  beforeEach(async () => {
    await db.sql`create trigger gate before insert on snapshot_holders for each row
      when (new.first_address > decode(lpad('2710', 40, '0'), 'hex')) execute function wait_at_gate('9000001')`;
    await db.sql`create trigger end_gate before update of status on snapshots for each statement
      execute function wait_at_gate('9000002')`;
    gate = await db.sql.reserve();
    await gate`select pg_advisory_lock(${GATE}::bigint)`;
    ({ worker, kill } = openWorker(db));
    requested = await requestSnapshot(context(), { ...POINTS, contractAddress: contract });
    while ((await openBefore(db, requested.asOf))?.length !== 0) await sleep(5);
    working = takeSnapshots(worker);
    working.catch(() => undefined);
    await untilBlocked(db);
  });
  const open = async () => {
    await gate`select pg_advisory_unlock_all()`;
    await working.catch(() => undefined);
  };
  afterEach(async () => {
    await open();
    gate.release();
    await worker.close();
    await db.sql`drop trigger gate on snapshot_holders`;
    await db.sql`drop trigger end_gate on snapshots`;
  });

  const expectTaken = async () =>
    expect(await whenTaken(requested)).toMatchObject({ status: "TAKEN", holders: 11_999, digest: whole });

  test("it shows how many holders are stored, and none of them", async () => {
    expect(await read(requested)).toMatchObject({ status: "RUNNING", holders: 10_000, digest: null });
    const input = { contractAddress: contract, ...POINTS, snapshotId: requested.id };
    expect((await refusalOf(listHolders(context(), input))).code).toBe("snapshot_not_found");
    await open();
    await expectTaken();
  });

  async function digestOfPages(snapshotId: string): Promise<string> {
    const hash = createHash("sha256");
    const input = { contractAddress: contract, ...POINTS, snapshotId, limit: 999 };
    let page = await listHolders(context(), input);
    for (;;) {
      for (const { address, points } of page.holders) hash.update(`${address.toLowerCase()} ${points}\n`);
      if (!page.cursor) return hash.digest("hex");
      page = await listHolders(context(), { ...input, cursor: page.cursor });
    }
  }

  const firstRow = () => db.sql`select xmin::text, * from snapshot_holders
    where snapshot_id = uuid_send(${requested.id}::uuid) order by first_address limit 1`;

  test.each([
    ["its worker continues", false],
    ["another continues where a killed one stopped, which was no attempt", true],
  ])("finalizing continues, what is finalized is not in it, and %s", async (_, isKilled) => {
    const stored = await firstRow();
    if (isKilled) {
      await kill();
      const counted = await db.sql`select attempts from snapshots where id = ${requested.id}::uuid`;
      expect(counted).toEqual([{ attempts: 0 }]);
    }
    const batchId = await submit(contract, [
      [1, "5"],
      [7, "5"],
      [11_000, "5"],
      [99_999, "7"],
    ]);
    await finalize();
    expect(await balance(wallet(99_999))).toMatchObject({ available: "7" });
    await open();
    await expectTaken();
    expect(await firstRow()).toEqual(stored);
    expect(await digestOfPages(requested.id)).toBe(whole);
    const again = { ...POINTS, contractAddress: contract, asOf: requested.asOf };
    expect(await snapshotOf(db, again)).toMatchObject({ digest: whole });
    await reverseBatch(context(), LIMITS, { contractAddress: contract, batchId, secondsToFinalize: 0 });
    await finalize();
  });

  test("another worker leaves it alone, and the same request returns it", async () => {
    await takeSnapshots(db);
    expect(await read(requested)).toMatchObject({ status: "RUNNING", holders: 10_000 });
    const again = await requestSnapshot(context(), { ...POINTS, contractAddress: contract });
    expect(again.id).toBe(requested.id);
    const other = requestSnapshot(context(), { ...POINTS, contractAddress: contract, name: "another" });
    expect((await refusalOf(other)).code).toBe("unavailable");
    await open();
    await expectTaken();
  });

  test("a worker that another one has replaced stores nothing more", async () => {
    await gate`select pg_advisory_lock(${END_GATE}::bigint)`;
    const stolen = db.sql`update snapshots set claim_id = gen_random_uuid()
      where id = ${requested.id}::uuid`.then(() => undefined);
    await untilBlocked(db, 2);
    // The last row is stored, and the worker has not yet finished.
    await gate`select pg_advisory_unlock(${GATE}::bigint)`;
    await stolen;
    await open();
    expect(await read(requested)).toMatchObject({ status: "RUNNING" });
    await expectTaken();
  });

  test("deleting it stops it and leaves nothing", async () => {
    const deleted = deleteSnapshot(context("ops"), { snapshotId: requested.id }, removeAllocationsOf);
    await sleep(50);
    await open();
    await deleted;
    const [left] = await db.sql`select count(*)::int as count from snapshot_holders
      where snapshot_id = uuid_send(${requested.id}::uuid)`;
    expect([await read(requested), left]).toEqual([undefined, { count: 0 }]);
  });

  test("it fails after five attempts that did not get further, and keeps nothing", async () => {
    await kill();
    await open();
    await db.sql`update snapshots set attempts = ${ATTEMPTS_MAX} where id = ${requested.id}::uuid`;
    const failure = "It was begun 5 times and did not get further.";
    const empty = { digest: null, ledgerTotal: null, holders: 0, points: "0" };
    expect(await whenTaken(requested)).toMatchObject({ status: "FAILED", failure, ...empty });
    expect(await firstRow()).toEqual([]);
  });
});
