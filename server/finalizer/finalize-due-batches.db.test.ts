import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { SESSION_SETTINGS } from "@/db/session-settings";
import { findBatch } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { settleClaim } from "@/server/ledger/settle";
import { endLeases } from "@/testing/catch-up";
import { answerStatement } from "@/testing/changed-statements";
import { wallet } from "@/testing/factories";
import { untilBlocked } from "@/testing/races";
import { useLedger } from "@/testing/use-ledger";
import { claimDueBatches, releaseClaim } from "./claim-due-batches";
import { finalizeDueBatches } from "./finalize-due-batches";

process.env.LOG_LEVEL = "silent";

const { db, context, newContract, submit, finalize, balance } = useLedger();
afterEach(async () => {
  await endLeases(db);
  await finalize();
});

test("a lease that was taken over lets its first finalizer settle nothing when it wakes up, and no release undoes the settling", async () => {
  const contract = await newContract();
  await submit(contract, [[0x13, "1"]], { batchId: "b" });
  const late = await claimDueBatches(db, randomUUID());
  await endLeases(db);
  const next = await claimDueBatches(db, randomUUID());
  expect(next.batches).toBe(1);
  expect(await settleClaim(db, late)).toMatchObject({ batches: 0 });
  expect((await findBatch(context(), contract, "b")).status).toBe("FINALIZING");
  await releaseClaim(db, late, 0, "whole");
  expect((await findBatch(context(), contract, "b")).leaseUntil!.getTime()).toBeGreaterThan(
    Date.now() + 30_000,
  );
  expect(await settleClaim(db, next)).toMatchObject({ batches: 1 });
  expect(await settleClaim(db, late)).toMatchObject({ batches: 0 });
  expect((await balance(wallet(0x13))).available).toBe("1");
  await releaseClaim(db, next, 5, "whole");
  expect(await findBatch(context(), contract, "b")).toMatchObject({ status: "FINALIZED", leaseUntil: null });
});

test("a lease that expired can still be settled by its finalizer if no other took it over", async () => {
  await submit(await newContract(), [[0x14, "1"]]);
  const claim = await claimDueBatches(db, randomUUID());
  await endLeases(db);
  expect(await settleClaim(db, claim)).toMatchObject({ batches: 1 });
  expect((await balance(wallet(0x14))).available).toBe("1");
});

test("a first large payout replaces the plans that read every account since there were few; on Citus, autovacuum does", async () => {
  await db.sql`vacuum analyze accounts`;
  const rows = Array.from({ length: 1000 }, (_, n) => [0x60_0000 + n, "1"] as const);
  await submit(await newContract(), rows);
  const connection = { ...SESSION_SETTINGS, plan_cache_mode: "force_generic_plan" };
  const caller = postgres(db.url, { max: 1, connection });
  await caller`prepare kept (bytea) as select from accounts where address = $1 and point_type = 'PHASE2_POINTS'`;
  const plan = async () => (await caller.unsafe("explain execute kept ('')"))[0]!["QUERY PLAN"];
  expect(await plan()).toMatch(/^Seq Scan/);
  await finalize();
  expect(await plan()).toMatch(process.env.TEST_SHARDS ? /^Seq Scan/ : /^Index/);
  await caller.end();
});

test("a run that uses up its time budget reports what is left", async () => {
  await submit(await newContract(), [[1, "1"]]);
  const run = await finalizeDueBatches(db, { budgetSeconds: 0, startedBy: "test" });
  const none = { batchesFinalized: 0, transfersSettled: 0, lagSecondsMax: 0 };
  expect(run).toEqual({ ...none, dueLeft: 1, failure: null });
});

test("a run that settled something is stored with who started it, and an idle one leaves only its heartbeat", async () => {
  await db.sql`truncate finalizer_runs`;
  await submit(await newContract(), [[1, "1"]]);
  await finalizeDueBatches(db, { budgetSeconds: 5, startedBy: "cron" });
  await finalizeDueBatches(db, { budgetSeconds: 5, startedBy: "cron" });
  const kept = await db.sql`select started_by, batches_finalized::int, failure from finalizer_runs`;
  expect([...kept]).toEqual([{ started_by: "cron", batches_finalized: 1, failure: null }]);
  const [heartbeat] = await db.sql<{ age: number }[]>`
      select extract(epoch from now() - last_tick_at)::float8 as age from finalizer_heartbeat`;
  expect(heartbeat!.age).toBeLessThan(5);
});

test("a run that the database rejects releases the claim and reports the failure without the driver's message", async () => {
  const contract = await newContract();
  await submit(contract, [[`0xb0${"0".repeat(38)}`, "1"]], { batchId: "b" });
  await db.sql`alter table accounts add constraint broken check (received < 1 or encode(address, 'hex') <> 'b0' || repeat('0', 38))`;
  const run = await finalize();
  await db.sql`alter table accounts drop constraint broken`;
  expect(run).toMatchObject({ batchesFinalized: 0, dueLeft: 1 });
  expect(run.failure).toBe("Finalizing failed: the database returned SQLSTATE 23514 (broken).");
  const { status, leaseUntil } = await findBatch(context(), contract, "b");
  expect(status).toBe("FINALIZING");
  expect(leaseUntil!.getTime() - Date.now()).toBeLessThan(6000);
});

test("after a deadlock with another transaction, the same run settles the batch", async () => {
  const contract = await newContract();
  const pay = () => submit(contract, [[0x41, "1"] as const, [0x42, "1"] as const]);
  await pay();
  await finalize();
  await pay();
  const other = await db.sql.reserve();
  const lock = (number: number) =>
    other`select from accounts where address = ${addressToBytes(wallet(number))} for update`;
  await other`begin`;
  await other`set local deadlock_timeout = '1min'`;
  await lock(0x42);
  const run = finalize();
  await untilBlocked(db);
  await lock(0x41).catch(() => undefined);
  await other`rollback`;
  other.release();
  expect(await run).toMatchObject({ batchesFinalized: 1, dueLeft: 0, failure: null });
});

test("a run that gets no response releases the claim too, and reports that", async () => {
  await submit(await newContract(), [[1, "1"]]);
  const gone = answerStatement(db, "insert into accounts", () =>
    Promise.reject(new Error("CONNECTION_CLOSED")),
  );
  const { failure, dueLeft } = await finalizeDueBatches(gone, { budgetSeconds: 20, startedBy: "test" });
  expect([failure, dueLeft]).toEqual(["Finalizing failed: the database did not respond.", 1]);
});

const setPending = (contract: string, points: string) =>
  db.sql`update accounts set pending = ${points} where address = ${addressToBytes(contract)} and point_type = 'PHASE2_POINTS'`;
const statusOf = async (contract: string) => (await findBatch(context(), contract, "b")).status;

const goodBatch = async () => {
  const contract = await newContract();
  await submit(contract, [[0x31, "2"]], { batchId: "b" });
  return contract;
};
/** Its contract lacks the reserved points, until they are repaired. */
const refusedBatch = async () => {
  const contract = await goodBatch();
  await setPending(contract, "0");
  return contract;
};
test("batches that the database rejects, retried in every run, delay neither others that are due with them nor later ones", async () => {
  const refused = [await refusedBatch(), await refusedBatch()];
  for (let run = 0; run < 3; run++) {
    const good = await goodBatch();
    await endLeases(db);
    expect((await finalize()).failure).toContain("accounts_not_negative");
    expect(await Promise.all([good, ...refused].map(statusOf))).toEqual([
      "FINALIZED",
      "FINALIZING",
      "FINALIZING",
    ]);
  }
  for (const contract of refused) await setPending(contract, "2");
  await endLeases(db);
  await finalize();
  expect(await Promise.all(refused.map(statusOf))).toEqual(["FINALIZED", "FINALIZED"]);
});
