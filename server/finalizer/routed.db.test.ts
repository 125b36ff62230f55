import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, expect, test } from "vitest";
import { endLeases } from "@/testing/catch-up";
import { pretendShards, shardOf } from "@/testing/citus/make-database";
import { shifted, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { claimDueBatches } from "./claim-due-batches";

const { db, newContract, submit, finalize } = useLedger();
/** Two contracts on each of three shards. */
let shards: [string, string][];

beforeAll(async () => {
  await pretendShards(db);
  const found = new Map<string, string[]>();
  const pairs = () => [...found.values()].filter(({ length }) => length >= 2);
  while (pairs().length < 3) {
    const contract = await newContract();
    const shard = await shardOf(db, contract);
    found.set(shard, [...(found.get(shard) ?? []), contract]);
  }
  shards = pairs()
    .slice(0, 3)
    .map(([one, other]) => [one!, other!]);
});
afterEach(async () => {
  await endLeases(db);
  await finalize();
});

const store = (contract: string, batchId: string) => submit(contract, [[1, "1"]], { batchId });
/** Makes a batch due since `seconds` ago. */
const dueSince = (seconds: number, batchId: string) =>
  withoutTriggers(
    db,
    `update batches set created_at = ${shifted("created_at", -seconds)}, finalize_at = ${shifted("finalize_at", -seconds)}
      where id = '${batchId}'`,
  );
const leaseEnded = (seconds: number, batchId: string) => db.sql`
  update batches set lease_until = now() - ${seconds}::int * interval '1 second' where id = ${batchId}`;
/** The batch ids of a claim, and their shards. */
async function heldBy(claimId: string) {
  const rows = await db.sql<{ id: string; contract: Buffer }[]>`
    select id, contract_address as contract from batches where claim_id = ${claimId} and status = 'FINALIZING' order by id`;
  const on = await Promise.all(rows.map(({ contract }) => shardOf(db, `0x${contract.toString("hex")}`)));
  return { ids: rows.map(({ id }) => id), shards: [...new Set(on)] };
}
async function claim() {
  const claimed = await claimDueBatches(db, randomUUID());
  return { ...(await heldBy(claimed.id)), claimed };
}

test("where batches are on several shards a claim has batches of only one shard, from all its contracts, until nothing is due", async () => {
  for (const [n, contracts] of shards.entries())
    for (const [m, contract] of contracts.entries()) await store(contract, `alone-${n}-${m}`);
  const claims = [await claim(), await claim(), await claim()];
  expect(claims.map(({ ids }) => ids).sort()).toEqual(shards.map((_, n) => [`alone-${n}-0`, `alone-${n}-1`]));
  for (const { shards: on } of claims) expect(on).toHaveLength(1);
  expect((await claim()).claimed.batches).toBe(0);
});

test("where batches are on several shards abandoned batches are taken over before due ones, oldest expired lease first, then the shard with the longest due batch", async () => {
  for (const [n, [contract]] of shards.slice(0, 2).entries()) {
    await store(contract, `left-${n}`);
    await claim();
  }
  await leaseEnded(5, "left-0");
  await leaseEnded(10, "left-1");
  for (const [n, [contract]] of shards.entries()) await store(contract, `due-${n}`);
  for (const [n, seconds] of [90, 30, 600].entries()) await dueSince(seconds, `due-${n}`);
  const order: string[][] = [];
  for (let turn = 0; turn < 5; turn++) order.push((await claim()).ids);
  expect(order).toEqual([["left-1"], ["left-0"], ["due-2"], ["due-0"], ["due-1"]]);
});

test("where batches are on several shards thousands of older batches of one kind, abandoned or due, hide none of the other kind", async () => {
  const [[many], [other]] = shards as [[string, string], [string, string]];
  const fill = (status: "PENDING" | "FINALIZING") =>
    withoutTriggers(
      db,
      `insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds, digest, submitted_by,
         submit_request_id, created_at, finalize_at, updated_at, claimed_at, claim_id, lease_until)
       select decode('${many.slice(2)}', 'hex'), 'many-' || n, 'PHASE2_POINTS', '${status}', 1, 1, 60, sha256('x'), 'token:test', 'r',
         now() - interval '2 days', now() - interval '1 day', ${
           status === "PENDING"
             ? "null, null, null, null"
             : "now() - interval '1 hour', now() - interval '1 hour', gen_random_uuid(), now() - interval '1 minute'"
         } from generate_series(1, 5001) n`,
    );
  const empty = () => withoutTriggers(db, "delete from batches where id like 'many-%'");
  await store(other, "hidden-1");
  await fill("FINALIZING");
  const claimed = await claimDueBatches(db, randomUUID(), true);
  expect((await heldBy(claimed.id)).ids).toEqual(["hidden-1"]);
  await empty();
  await leaseEnded(5, "hidden-1");
  await fill("PENDING");
  expect((await claim()).ids).toEqual(["hidden-1"]);
  await empty();
});
