import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { within } from "@/db/client";
import { findBatch } from "@/server/batches/list/get-batch";
import { describeBatch } from "@/server/batches/review/describe-batch";
import { endLeases } from "@/testing/catch-up";
import { stoppedClock } from "@/testing/changed-statements";
import { times, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { CLAIM_TRANSFERS_MAX, claimDueBatches, LEASE_SECONDS, releaseClaim } from "./claim-due-batches";

const { db, context, useContract, submit, finalize } = useLedger();
const contract = useContract();
afterEach(async () => {
  await endLeases(db);
  while ((await finalize()).dueLeft > 0);
});

const store = (batchId: string) => submit(contract, [[1, "1"]], { batchId });
const found = (batchId: string) => findBatch(context(), contract, batchId);
const claim = async () => (await claimDueBatches(db, randomUUID())).batches;
/** Claims a single batch like a finalizer that then died, with a lease that expired `secondsAgo`. */
async function abandon(batchId: string, secondsAgo: number): Promise<void> {
  await store(batchId);
  expect(await claim()).toBe(1);
  await db.sql`update batches set lease_until = now() - ${secondsAgo}::int * interval '1 second',
    updated_at = now() - interval '1 hour' where id = ${batchId}`;
}
const leaseEnded = (batchId: string, seconds: number) => db.sql`
  update batches set lease_until = now() - ${seconds}::int * interval '1 second' where id = ${batchId}`;
const claimedBy = async (claimId: string) =>
  (await db.sql<{ id: string }[]>`select id from batches where claim_id = ${claimId}`).map(({ id }) => id);

test("batches of a finalizer that died are taken over first, claim by claim, oldest expired lease first, each with a new lease", async () => {
  await abandon("first", -30);
  await abandon("second", -30);
  await leaseEnded("second", 10);
  await leaseEnded("first", 5);
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

test("due batches, and those of a finalizer that died, are skipped without waiting while another finalizer claims them", async () => {
  const claimBoth = async (prepareMine: () => Promise<unknown>) => {
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await db.sql.begin(async (tx) => {
      expect((await claimDueBatches(within(db, tx), theirs)).batches).toBe(1);
      await prepareMine();
      expect((await claimDueBatches(db, mine)).batches).toBe(1);
    });
    return [await claimedBy(theirs), await claimedBy(mine)];
  };
  await abandon("taken", -30);
  await abandon("left", -30);
  await leaseEnded("taken", 10);
  await leaseEnded("left", 5);
  expect(await claimBoth(async () => undefined)).toEqual([["taken"], ["left"]]);
  await store("theirs");
  expect(await claimBoth(() => store("mine"))).toEqual([["theirs"], ["mine"]]);
});

test("a claim whose finalizer died, or that an outage ended, is taken over whole once; after that one batch at a time, in turns with new ones", async () => {
  const taken = async (newFirst = false) => {
    const claimId = randomUUID();
    await claimDueBatches(db, claimId, newFirst);
    return (await claimedBy(claimId)).sort();
  };
  const expire = () =>
    db.sql`update batches set lease_until = now() - interval '1 second' where status = 'FINALIZING'`;
  for (const batchId of ["a", "b", "c"]) await store(batchId);
  const first = await claimDueBatches(db, randomUUID());
  expect(first.batches).toBe(3);
  await releaseClaim(db, first, -1, "whole");
  const second = await claimDueBatches(db, randomUUID());
  expect(await claimedBy(second.id)).toHaveLength(3);
  await releaseClaim(db, second, -1, "whole");
  await store("new");
  expect(await taken()).toHaveLength(1);
  expect(await taken(true)).toEqual(["new"]);
  expect(await taken(true)).toHaveLength(1);
  expect(await taken()).toHaveLength(1);
  expect(await taken()).toEqual([]);
  await expire();
  const again = await claimDueBatches(db, randomUUID());
  expect([again.batches, await taken()]).toEqual([1, [expect.any(String)]]);
});

test("a claim that the database rejected is retried one batch at a time, also within the millisecond of the claim", async () => {
  for (const batchId of ["d", "e"]) await store(batchId);
  const stopped = stoppedClock(db, new Date());
  const rejected = await claimDueBatches(stopped, randomUUID());
  await releaseClaim(stopped, rejected, -1, "one by one");
  expect([await claim(), await claim(), await claim()]).toEqual([1, 1, 0]);
});

test("a claim is taken over whole only once, also within the millisecond of the claim", async () => {
  for (const batchId of ["f", "g"]) await store(batchId);
  const stopped = stoppedClock(db, new Date());
  const sizes: number[] = [];
  for (let taken = 0; taken < 3; taken++) {
    const claimed = await claimDueBatches(stopped, randomUUID());
    await releaseClaim(stopped, claimed, -1, "whole");
    sizes.push(claimed.batches);
  }
  expect(sizes).toEqual([2, 2, 1]);
});

test("a claim has up to 20,000 transfers, and the rest waits for the next one", async () => {
  await times(12, (n) => store(`large-${n}`));
  const count = (transfers: number) =>
    withoutTriggers(db, `update batches set transfer_count = ${transfers} where id like 'large-%'`);
  expect(CLAIM_TRANSFERS_MAX).toBe(20_000);
  await count(2000);
  expect([await claim(), await claim(), await claim()]).toEqual([10, 2, 0]);
  await count(1);
});

test("a batch can be claimed from the instant it is due, and a lease holds until it expires", async () => {
  await store("sharp");
  const { finalizeAt } = await found("sharp");
  const before = new Date(finalizeAt.getTime() - 1);
  expect((await claimDueBatches(stoppedClock(db, before), randomUUID())).batches).toBe(0);
  expect((await claimDueBatches(stoppedClock(db, finalizeAt), randomUUID())).batches).toBe(1);
  const leaseUntil = (await found("sharp")).leaseUntil!;
  const shown = await describeBatch(context(), { contractAddress: contract, batchId: "sharp" });
  expect(shown.timeline.at(-1)!.reason === null).toBe(leaseUntil > new Date(shown.now));
  expect((await claimDueBatches(stoppedClock(db, leaseUntil), randomUUID())).batches).toBe(0);
  const after = new Date(leaseUntil.getTime() + 1);
  expect((await claimDueBatches(stoppedClock(db, after), randomUUID())).batches).toBe(1);
});
