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
const ids = async (contractAddress: string | undefined, sort: "ASC" | "DESC" = "ASC", from: Database = db) =>
  (await listBatches(testContext(from), { contractAddress, sort, limit: 200 })).rows.map(({ id }) => id);
/** Stores a batch whose creation time no later one shares. */
async function store(contract: string, batchId: string): Promise<void> {
  await submit(contract, [[1, "1"]], { batchId });
  await tick();
}

test("an ascending reader waits for a batch that is still committing, then gets both in order; others do not wait", async () => {
  const [contract, quick] = [await newContract(), await newContract()];
  await store(contract, "before");
  const inFlight = batchOf(contract, [[1, "1"]], { batchId: "held", pointType: "PHASE2_GOLD" });
  const held = await holdSubmit(db, inFlight);
  await store(contract, "after");
  await store(quick, "seen");
  expect(await ids(contract)).toEqual(["before"]);
  expect(await ids(contract, "DESC")).toEqual(["after", "before"]);
  expect(await ids(quick)).toEqual(["seen"]);
  // A reader across all contracts waits for any submit in flight.
  expect(await ids(undefined)).not.toContain("seen");
  expect(await held.release()).toBe("held");
  await tick();
  expect(await ids(contract)).toEqual(["before", "held", "after"]);
  expect(await ids(undefined)).toEqual(["before", "held", "after", "seen"]);
});

/** A transaction that holds a lock until released, like a submit in flight. */
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
const lockOf =
  (contract: string, space = SUBMIT_LOCK_SPACE) =>
  (tx: TransactionSql) =>
    tx`select pg_advisory_xact_lock_shared(${space}::int, ${submitLockKey(addressToBytes(contract))}::int)`;

test("a reader waits for the oldest of several submits in flight", async () => {
  const contract = await newContract();
  const older = await holding(db, lockOf(contract));
  await tick();
  await store(contract, "between");
  const younger = await holding(db, lockOf(contract));
  expect(await ids(contract)).toEqual([]);
  await older();
  expect(await ids(contract)).toEqual(["between"]);
  await younger();
});

test("a submit of another role, whose start is not visible, is assumed to be a minute old", async () => {
  const contract = await newContract();
  await store(contract, "now");
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
  expect(await ids(contract, "ASC", reader)).toEqual(["now"]);
  const release = await holding(db, lockOf(contract));
  expect(await ids(contract, "ASC", reader)).toEqual([]);
  await release();
  await reader.close();
  await db.sql`drop owned by ${db.sql(role)}`;
  await db.sql`drop role ${db.sql(role)}`;
});

test("unrelated locks, and locks of other databases on the server, do not delay readers", async () => {
  const contract = await newContract();
  const key = submitLockKey(addressToBytes(contract));
  const other = await testDatabase();
  const oneKey = (tx: TransactionSql) =>
    tx`select pg_advisory_xact_lock_shared((${SUBMIT_LOCK_SPACE}::bigint << 32) + ${key}::int)`;
  const releases = [
    await holding(db, lockOf(contract, SUBMIT_LOCK_SPACE + 1)),
    await holding(db, oneKey),
    await holding(other, lockOf(contract)),
  ];
  await tick();
  await store(contract, "seen");
  expect(await ids(contract)).toEqual(["seen"]);
  for (const release of releases) await release();
  await other.drop();
});

test("a reader that follows eight writers by cursor misses nothing and repeats nothing", async () => {
  const contract = await newContract();
  let writing = true;
  const writers = times(8, async (writer) => {
    const pointType = writer % 2 ? ("PHASE2_GOLD" as const) : ("PHASE2_POINTS" as const);
    for (let i = 0; i < 40; i++) await submit(contract, [[1, "1"]], { batchId: `${writer}-${i}`, pointType });
  }).finally(() => {
    writing = false;
  });
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let last = false; ; last = !writing) {
    if (last) await tick();
    const page = await listBatches(context(), { contractAddress: contract, sort: "ASC", limit: 3, cursor });
    // Only full pages are consumed. A page without a cursor is read again from the same position.
    if (page.cursor || last) seen.push(...page.rows.map((row) => row.id));
    if (page.cursor) cursor = page.cursor;
    else if (last) break;
  }
  await writers;
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(320);
});
