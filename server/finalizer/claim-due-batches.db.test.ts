import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { endLeases } from "@/testing/catch-up";
import { shifted, times, withoutTriggers } from "@/testing/factories";
import { stoppedClock } from "@/testing/stopped-clock";
import { useLedger } from "@/testing/use-ledger";
import { holdBatch } from "../batches/change/hold-batch";
import { findBatch } from "../batches/list/get-batch";
import { describeBatch } from "../batches/review/describe-batch";
import { settleClaim } from "../ledger/settle";
import { CLAIM_TRANSFERS_MAX, claimDueBatches, LEASE_SECONDS, releaseClaim } from "./claim-due-batches";

const { db, context, useContract, submit, finalize } = useLedger();
const contract = useContract();
afterEach(async () => {
  await endLeases(db);
  while ((await finalize()).dueLeft > 0);
});

const store = (batchId: string) => submit(contract, [[1, "1"]], { batchId });
const found = (batchId: string) => findBatch(context(), contract, batchId);
/** Claims a single batch like a finalizer that then died, with a lease that expired `secondsAgo`. */
async function abandon(batchId: string, secondsAgo: number): Promise<void> {
  await store(batchId);
  expect((await claimDueBatches(db, randomUUID())).batches).toBe(1);
  await db.sql`update batches set lease_until = now() - ${secondsAgo}::int * interval '1 second',
    updated_at = now() - interval '1 hour' where id = ${batchId}`;
}
const claimedBy = async (claimId: string) =>
  (await db.sql<{ id: string }[]>`select id from batches where claim_id = ${claimId}`).map(({ id }) => id);

describe("batches of a finalizer that died", () => {
  test("are taken over first, one at a time, oldest expired lease first, each with a new lease", async () => {
    await abandon("first", -30);
    await abandon("second", -30);
    await db.sql`update batches set lease_until = now() - interval '10 seconds' where id = 'second'`;
    await db.sql`update batches set lease_until = now() - interval '5 seconds' where id = 'first'`;
    await store("due");
    const order: string[][] = [];
    for (let turn = 0; turn < 3; turn++) {
      const claimId = randomUUID();
      expect((await claimDueBatches(db, claimId)).batches).toBe(1);
      order.push(await claimedBy(claimId));
    }
    expect(order).toEqual([["second"], ["first"], ["due"]]);
    const { leaseUntil, updatedAt, claimedAt } = await found("second");
    expect(leaseUntil!.getTime() - updatedAt!.getTime()).toBe(LEASE_SECONDS * 1000);
    expect(updatedAt!.getTime()).toBeGreaterThan(claimedAt!.getTime());
  });

  test("are skipped while another finalizer takes them over", async () => {
    await abandon("taken", -30);
    await abandon("left", -30);
    await db.sql`update batches set lease_until = now() - interval '10 seconds' where id = 'taken'`;
    await db.sql`update batches set lease_until = now() - interval '5 seconds' where id = 'left'`;
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await db.sql.begin(async (tx) => {
      expect((await claimDueBatches({ ...db, sql: tx as never }, theirs)).batches).toBe(1);
      expect((await claimDueBatches(db, mine)).batches).toBe(1);
    });
    expect([await claimedBy(theirs), await claimedBy(mine)]).toEqual([["taken"], ["left"]]);
  });
});

describe("due batches", () => {
  test("that another finalizer is claiming are skipped without waiting", async () => {
    await store("theirs");
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await db.sql.begin(async (tx) => {
      expect((await claimDueBatches({ ...db, sql: tx as never }, theirs)).batches).toBe(1);
      await store("mine");
      expect((await claimDueBatches(db, mine)).batches).toBe(1);
    });
    expect([await claimedBy(theirs), await claimedBy(mine)]).toEqual([["theirs"], ["mine"]]);
  });

  test("are not delayed by any number of batches on hold that were due earlier", async () => {
    await times(501, (n) => store(`held-${n}`));
    const held = { contractAddress: contract, batchId: "held-0", reason: "looks odd" };
    await holdBatch(context("staff:ann@example.com"), held);
    await db.sql`update batches set held_at = now(), held_by = 'ann', hold_reason = 'looks odd' where id like 'held-%'`;
    await store("waiting");
    const claimId = randomUUID();
    expect((await claimDueBatches(db, claimId)).batches).toBe(1);
    expect(await claimedBy(claimId)).toEqual(["waiting"]);
    await db.sql`update batches set held_at = null, held_by = null, hold_reason = null where held_at is not null`;
  });
});

describe("the size of a claim", () => {
  test("is limited by transfers, and the rest waits for the next chunk", async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => [0x20_0000 + n, "1"] as const);
    for (let i = 0; i < 12; i++) await submit(contract, rows);
    expect(CLAIM_TRANSFERS_MAX).toBe(20_000);
    expect((await claimDueBatches(db, randomUUID())).batches).toBe(10);
    expect((await claimDueBatches(db, randomUUID())).batches).toBe(2);
    expect((await claimDueBatches(db, randomUUID())).batches).toBe(0);
  });

  test("is limited by batches, longest due first, whatever plan Postgres chooses", async () => {
    await times(20, (i) => submit(contract, [[1, "1"]], { batchId: `late-${i}` }));
    await times(500, (i) => submit(contract, [[0x30_0000 + i, "1"]]));
    await withoutTriggers(
      db,
      `update batches set created_at = ${shifted("created_at", -3600)}, finalize_at = ${shifted("finalize_at", -3600)}
        where status = 'PENDING' and id not like 'late-%'`,
    );
    await db.sql.begin(async (tx) => {
      await tx`set local enable_indexscan = off`;
      expect((await claimDueBatches({ ...db, sql: tx as never }, randomUUID())).batches).toBe(500);
    });
    const left = await db.sql<{ id: string }[]>`select id from batches where status = 'PENDING'`;
    expect(left.every((row) => row.id.startsWith("late-"))).toBe(true);
    expect((await claimDueBatches(db, randomUUID())).batches).toBe(20);
  });
});

test("a batch can be claimed from the instant it is due, and a lease holds until it expires", async () => {
  await store("sharp");
  const { finalizeAt } = await found("sharp");
  const before = new Date(finalizeAt.getTime() - 1);
  expect((await claimDueBatches(stoppedClock(db, before), randomUUID())).batches).toBe(0);
  expect((await claimDueBatches(stoppedClock(db, finalizeAt), randomUUID())).batches).toBe(1);
  const leaseUntil = (await found("sharp")).leaseUntil!;
  const shown = await describeBatch(context(), { contractAddress: contract, batchId: "sharp" });
  expect(Date.parse(shown.leaseUntil!)).toBe(leaseUntil.getTime());
  expect((await claimDueBatches(stoppedClock(db, leaseUntil), randomUUID())).batches).toBe(0);
  const after = new Date(leaseUntil.getTime() + 1);
  expect((await claimDueBatches(stoppedClock(db, after), randomUUID())).batches).toBe(1);
});

test("releasing a claim after it was settled leaves its batches FINALIZED", async () => {
  await store("settled");
  const claim = await claimDueBatches(db, randomUUID());
  await settleClaim(db, claim);
  await releaseClaim(db, claim, 5);
  expect(await found("settled")).toMatchObject({ status: "FINALIZED", leaseUntil: null });
});
