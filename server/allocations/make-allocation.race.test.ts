import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "@/db/client";
import { removeAllocationsOf } from "@/server/allocations/delete-allocation";
import { deleteSnapshot } from "@/server/snapshots/delete-snapshot";
import { listSnapshots } from "@/server/snapshots/list-snapshots";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { DomainError } from "@/terms/problems";
import { refusalOf } from "@/testing/expectations";
import { allocationOf, snapshotOf, staffContext, wallet, withoutTriggers } from "@/testing/factories";
import { interleavings, openWorker, runInOrder, type Transaction, untilBlocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { deleteAllocation } from "./delete-allocation";
import { getClaim, getStaffClaim } from "./get-claim";
import { listAllocations } from "./list-allocations";
import { makeAllocations } from "./make-allocation";
import { publishAllocation } from "./publish-allocation";
import { requestAllocation } from "./request-allocation";
import type { AllocationOut } from "./schema";
import { ALLOCATIONS_MAX, RequestAllocationInput } from "./schema";

const { db, context, newContract, submit, finalize } = useLedger({ poolMax: 20 });

let contractAddress: string;
let snapshotId: string;
beforeAll(async () => {
  contractAddress = await newContract();
  await submit(
    contractAddress,
    Array.from({ length: 40 }, (_, at) => [at + 1, String(at + 1)] as const),
  );
  await finalize();
});
beforeEach(async () => {
  ({ id: snapshotId } = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS" }));
});

const requestOf = (of: string, name = "Season 1") =>
  RequestAllocationInput.parse({
    ...{ snapshotId: of, name, rule: "PRO_RATA", total: "100000", decimals: 6 },
  });
const rowsOf = async ({ id }: Pick<AllocationOut, "id">) => {
  const [row] = await db.sql<{ rows: number }[]>`
    select (select count(*) from allocation_claims where allocation_id = ${snapshotBytes(id)})::int
      + (select count(*) from allocation_nodes where allocation_id = ${snapshotBytes(id)})::int as rows`;
  return row!.rows;
};
/** The row of one allocation, if there is any. */
const find = async ({ id, snapshotId: of }: AllocationOut) =>
  (await listAllocations(context(), { snapshotId: of })).find((each) => each.id === id);

const does =
  <Made>(run: (own: Database, made: Made) => Promise<unknown>) =>
  (made: Made, ends: Transaction["ends"] = "commit"): Transaction => ({
    run: (own) => run(own, made),
    ends,
  });
type Made = Pick<AllocationOut, "id" | "snapshotId">;
const publishing = (name: string) =>
  does((own, { id }: Made) =>
    publishAllocation(staffContext(own, `${name}@example.com`), { allocationId: id }),
  );
const deleting = does((own, { id }: Made) =>
  deleteAllocation(staffContext(own, "cat@example.com"), { allocationId: id }),
);
const deletingSnapshot = does((own, { snapshotId: of }: Made) =>
  deleteSnapshot(staffContext(own, "dan@example.com"), { snapshotId: of }, removeAllocationsOf),
);
const requesting = (name = "Season 2") =>
  does((own, { snapshotId: of }: Pick<Made, "snapshotId">) =>
    requestAllocation(staffContext(own, "eve@example.com"), requestOf(of, name)),
  );

describe("in every order, and if one is undone:", () => {
  type Client = ReturnType<typeof does<Made>>;
  const pairs: [string, Client, Client][] = [
    ["two people publish", publishing("ann"), publishing("ben")],
    ["it is published and deleted", publishing("ann"), deleting],
    ["it is published and its snapshot deleted", publishing("ann"), deletingSnapshot],
    ["it and its snapshot are deleted", deleting, deletingSnapshot],
    ["another is requested and the snapshot deleted", requesting(), deletingSnapshot],
  ];
  const ways: (readonly Transaction["ends"][])[] = [[], ["rollback"], ["commit", "rollback"]];
  test.each(pairs)("%s", async (_, one, other) => {
    for (const ends of ways)
      for (const order of interleavings(2, 2)) {
        const snapshot = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS" });
        const made = await allocationOf(db, requestOf(snapshot.id));
        const clients = { a: [one(made, ends[0])], b: [other(made, ends[1])] };
        const outcome = await runInOrder(db, order, clients);
        const where = `${order} ${ends}`;
        // Nothing but our own clear errors.
        for (const result of [...outcome.a.results, ...outcome.b.results])
          if (result instanceof Error) expect(result, where).toBeInstanceOf(DomainError);
        const isDone = (of: typeof outcome.a) => !(of.results[0] instanceof Error);
        const kept = (await listSnapshots(context(), { contractAddress })).some(
          ({ id }) => id === snapshot.id,
        );
        const found = await find(made);
        // One of the two always succeeds, and if what is undone is left out, only one.
        expect(isDone(outcome.a) || isDone(outcome.b), where).toBe(true);
        if (found?.publishedAt) {
          expect(kept, where).toBe(true);
          expect(await getClaim(context(), { allocationId: made.id, address: wallet(1) })).toMatchObject({
            index: 0,
          });
          const published = await db.sql`
            select 1 from audit_log where target = ${`allocation:${made.id}`} and action = 'allocation.publish'`;
          expect(published, where).toHaveLength(1);
        }
        if (!found) expect(await rowsOf(made), where).toBe(0);
        if (!kept) {
          expect(found, where).toBeUndefined();
          expect(await listAllocations(context(), { snapshotId: snapshot.id }), where).toEqual([]);
        }
        if (kept && found) expect(await rowsOf(made), where).toBeGreaterThan(0);
        await withoutTriggers(db, "truncate allocations, allocation_claims, allocation_nodes");
        await db.sql`delete from snapshots`;
        await db.sql`delete from snapshot_holders`;
      }
  });
});

test.each([
  ["for the last place that a snapshot has", "Season 3", ALLOCATIONS_MAX - 1, /already has 100 allocations/],
  ["of one name", "Season 2", 0, /already has an allocation named “Season 2”/],
])(
  "in every order, two requests %s store one allocation, also if one is undone",
  async (_, name, old, why) => {
    for (const ends of ["commit", "rollback"] as const)
      for (const order of interleavings(2, 2)) {
        const { id } = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS" });
        await db.sql`
        insert into allocations (id, snapshot_id, name, rule, total, decimals, minimum, excluded, status,
          requested_by, finished_at, failure)
        select gen_random_uuid(), ${id}::uuid, 'old', 'PRO_RATA', 1, 0, 1, '', 'FAILED', 'ops', now(), 'old'
        from generate_series(1, ${old}::int)`;
        const [a, b] = [requesting()({ snapshotId: id }, ends), requesting(name)({ snapshotId: id })];
        const outcome = await runInOrder(db, order, { a: [a], b: [b] });
        const refused = [...outcome.a.results, ...outcome.b.results].filter((each) => each instanceof Error);
        const where = `${order} ${ends}`;
        if (ends === "commit") expect(refused, where).toHaveLength(1);
        for (const { message } of refused as Error[]) expect(message, where).toMatch(why);
        expect(await listAllocations(context(), { snapshotId: id }), where).toHaveLength(old + 1);
        await deleteSnapshot(context("ops"), { snapshotId: id }, removeAllocationsOf);
      }
  },
);

describe("while an allocation is being made, with its claims stored,", () => {
  const GATE = 9_000_002;
  let gate: Awaited<ReturnType<Database["sql"]["reserve"]>>;
  let worker: Database;
  let kill: () => Promise<void>;
  let requested: AllocationOut;
  let working: Promise<unknown>;

  beforeAll(async () => {
    await db.sql`create function wait_at_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(9000002); return new; end $$`;
  });
  beforeEach(async () => {
    await db.sql`create trigger gate before insert on allocation_nodes for each row
      execute function wait_at_gate()`;
    gate = await db.sql.reserve();
    await gate`select pg_advisory_lock(${GATE}::bigint)`;
    ({ worker, kill } = openWorker(db));
    requested = await requestAllocation(context("ops"), requestOf(snapshotId));
    working = makeAllocations(worker);
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
    await db.sql`drop trigger gate on allocation_nodes`;
  });
  test("a killed one shows no claims, and another worker continues it: its part was no attempt", async () => {
    expect(await find(requested)).toMatchObject({ status: "RUNNING", claims: null, roots: null });
    const claim = getStaffClaim(context(), { allocationId: requested.id, address: wallet(1) });
    expect((await refusalOf(claim)).code).toBe("allocation_not_found");
    await kill();
    const attempts = await db.sql`select attempts from allocations where id = ${requested.id}::uuid`;
    expect(attempts).toEqual([{ attempts: 0 }]);
    await open();
    await db.sql`create trigger stored_once before insert on allocation_claims
      execute function refuse_allocation_change()`;
    await makeAllocations(db);
    await db.sql`drop trigger stored_once on allocation_claims`;
    expect(await find(requested)).toMatchObject({ status: "READY", claims: 40, sum: "100000" });
  });

  test.each(["it", "its snapshot"])("deleting %s stops it and leaves nothing", async (what) => {
    if (what === "it") await deleteAllocation(context("ops"), { allocationId: requested.id });
    else await deleteSnapshot(context("ops"), { snapshotId }, removeAllocationsOf);
    await open();
    await working;
    expect([await find(requested), await rowsOf(requested)]).toEqual([undefined, 0]);
  });
});
