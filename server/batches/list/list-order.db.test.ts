import type { TransactionSql } from "postgres";
import { expect, inject, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { batchOf, testContext, times } from "@/testing/factories";
import { holdSubmit } from "@/testing/held-submit";
import { testDatabase } from "@/testing/test-database";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../../kernel/values/addresses";
import { SUBMIT_LOCK_SPACE, submitLockKey } from "../../ledger/creation-order";
import { listBatches } from "./list-batches";

const { db, context, newContract, submit } = useLedger();

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
const ids = async (contractAddress: string, sort: "ASC" | "DESC") =>
  (await listBatches(context(), { contractAddress, sort })).rows.map((row) => row.id);

test("an ascending reader waits for a batch that is still committing, then gets both in order", async () => {
  const contract = await newContract();
  await submit(contract, [[1, "1"]], { batchId: "before" });
  await tick();
  const held = await holdSubmit(
    db,
    batchOf(contract, [[1, "1"]], { batchId: "held", pointType: "PHASE2_GOLD" }),
  );
  await submit(contract, [[1, "1"]], { batchId: "after" });
  await tick();
  expect(await ids(contract, "ASC")).toEqual(["before"]);
  expect(await ids(contract, "DESC")).toEqual(["after", "before"]);
  expect(await held.release()).toBe("held");
  await tick();
  expect(await ids(contract, "ASC")).toEqual(["before", "held", "after"]);
});

test("a submit in flight does not delay readers of other contracts", async () => {
  const [slow, quick] = [await newContract(), await newContract()];
  const held = await holdSubmit(db, batchOf(slow, [[1, "1"]]));
  await submit(quick, [[1, "1"]], { batchId: "seen" });
  await tick();
  expect(await ids(quick, "ASC")).toEqual(["seen"]);
  await held.release();
});

test("a reader across all contracts waits for any submit in flight", async () => {
  const [slow, quick] = [await newContract(), await newContract()];
  const held = await holdSubmit(db, batchOf(slow, [[1, "1"]], { batchId: "slow-all" }));
  await submit(quick, [[1, "1"]], { batchId: "quick-all" });
  await tick();
  const all = async () =>
    (await listBatches(context(), { sort: "ASC", idPrefix: "", limit: 200 })).rows.map((row) => row.id);
  expect(await all()).not.toContain("quick-all");
  await held.release();
  await tick();
  expect((await all()).slice(-2)).toEqual(["slow-all", "quick-all"]);
});

/** A transaction that holds advisory locks until released, like a submit in flight. */
async function holding(
  on: Database,
  lock: (tx: TransactionSql) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let holder: Promise<unknown> = held;
  await new Promise<void>((locked) => {
    holder = on.sql.begin(async (tx) => {
      await lock(tx);
      locked();
      await held;
    });
  });
  return async () => {
    letGo();
    await holder;
  };
}

test("a reader waits for the oldest of several submits in flight", async () => {
  const contract = await newContract();
  const key = submitLockKey(addressToBytes(contract));
  const submitting = () =>
    holding(db, (tx) => tx`select pg_advisory_xact_lock_shared(${SUBMIT_LOCK_SPACE}::int, ${key}::int)`);
  const older = await submitting();
  await tick();
  await submit(contract, [[1, "1"]], { batchId: "between" });
  await tick();
  const younger = await submitting();
  expect(await ids(contract, "ASC")).toEqual([]);
  await older();
  expect(await ids(contract, "ASC")).toEqual(["between"]);
  await younger();
});

test("a submit of another role, whose start is not visible, is assumed to be a minute old", async () => {
  const contract = await newContract();
  await submit(contract, [[1, "1"]], { batchId: "now" });
  await tick();
  // Roles belong to the server, so the name must be unique per run.
  const role = `reader_of_${new URL(db.url).pathname.slice(1)}`;
  await db.sql`create role ${db.sql(role)} login password 'of-this-test'`;
  await db.sql`grant select on all tables in schema public to ${db.sql(role)}`;
  // Bypasses the pooler, which does not have the role.
  const url = Object.assign(new URL(inject("postgresUrl")), {
    pathname: new URL(db.url).pathname,
    username: role,
    password: "of-this-test",
  });
  const reader = createDatabase({ url: url.href, poolMax: 1, timeoutSeconds: 5, pooler: "none" });
  const read = async () =>
    (await listBatches(testContext(reader), { contractAddress: contract, sort: "ASC" })).rows.map(
      ({ id }) => id,
    );
  expect(await read()).toEqual(["now"]);
  const key = submitLockKey(addressToBytes(contract));
  const release = await holding(
    db,
    (tx) => tx`select pg_advisory_xact_lock_shared(${SUBMIT_LOCK_SPACE}::int, ${key}::int)`,
  );
  expect(await read()).toEqual([]);
  await release();
  await reader.close();
  await db.sql`drop owned by ${db.sql(role)}`;
  await db.sql`drop role ${db.sql(role)}`;
});

test("unrelated locks, and locks of other databases on the server, do not delay readers", async () => {
  const contract = await newContract();
  const key = submitLockKey(addressToBytes(contract));
  const other = await testDatabase();
  const releases = [
    await holding(
      db,
      (tx) => tx`select pg_advisory_xact_lock_shared(${SUBMIT_LOCK_SPACE + 1}::int, ${key}::int)`,
    ),
    await holding(
      db,
      (tx) => tx`select pg_advisory_xact_lock_shared((${SUBMIT_LOCK_SPACE}::bigint << 32) + ${key}::int)`,
    ),
    await holding(
      other,
      (tx) => tx`select pg_advisory_xact_lock_shared(${SUBMIT_LOCK_SPACE}::int, ${key}::int)`,
    ),
  ];
  await tick();
  await submit(contract, [[1, "1"]], { batchId: "seen" });
  await tick();
  expect(await ids(contract, "ASC")).toEqual(["seen"]);
  for (const release of releases) await release();
  await other.drop();
});

test("a reader that follows eight writers by cursor misses nothing and repeats nothing", async () => {
  const contract = await newContract();
  let writing = true;
  const writers = times(8, async (writer) => {
    for (let i = 0; i < 40; i++) {
      const pointType = writer % 2 ? ("PHASE2_GOLD" as const) : ("PHASE2_POINTS" as const);
      await submit(contract, [[1, "1"]], { batchId: `${writer}-${i}`, pointType });
    }
  }).finally(() => {
    writing = false;
  });
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let last = false; ; last = !writing) {
    if (last) await tick();
    const page = await listBatches(context(), {
      contractAddress: contract,
      sort: "ASC",
      limit: 3,
      cursor,
    });
    // Only full pages are consumed. A page without a cursor is read again from the same position.
    if (page.cursor) {
      seen.push(...page.rows.map((row) => row.id));
      cursor = page.cursor;
    } else if (last) {
      seen.push(...page.rows.map((row) => row.id));
      break;
    }
  }
  await writers;
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(320);
});
