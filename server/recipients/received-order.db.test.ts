import fc from "fast-check";
import { expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch, releaseBatch } from "@/server/batches/change/hold-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { byPointType, type PointType } from "@/terms/batch-terms";
import { formatPoints, parseSum } from "@/terms/points";
import { indexAll } from "@/testing/catch-up";
import { TRANSFER_ROWS } from "@/testing/explain";
import { LIMITS, staffContext, wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { listReceived } from "./list-received";
import { readHolding } from "./read-holding";

const { db, context, useContract, submit, finalize } = useLedger();
const contractAddress = useContract();

interface Stored {
  id: string;
  status: string;
  point_type: PointType;
  points: string;
  seq: string;
  created_ms: number;
  finalized_ms: number | null;
  /** When it ended; of what is pending, later the sooner it is due, and least of what is stopped. */
  ended_ms: number;
  is_reversal: boolean;
}

const storedOf = (address: string) => db.sql<Stored[]>`
  select b.id, b.status, b.point_type, t.points, b.seq, b.reverses_seq is not null as is_reversal,
    (extract(epoch from b.created_at) * 1000)::float8 as created_ms,
    (extract(epoch from b.finalized_at) * 1000)::float8 as finalized_ms,
    (extract(epoch from coalesce(b.finalized_at, b.cancelled_at, '9999-01-01'::timestamptz
      - (case when b.held_at is null then b.finalize_at else '3000-01-01' end - '1970-01-01'))
    ) * 1000)::float8 as ended_ms
  from ${db.sql.unsafe(TRANSFER_ROWS)} t
    join batches b on b.seq = t.batch_seq and b.contract_address = t.contract_address
  where t.to_address = decode(${address.slice(2)}, 'hex')`;

/** What moved up to an instant and a batch, exact. */
function heldAfter(stored: readonly Stored[], endedMs: number, seq: number): Record<PointType, string> {
  const sums = byPointType(() => 0n);
  for (const batch of stored) {
    const isAfter = batch.ended_ms > endedMs || (batch.ended_ms === endedMs && Number(batch.seq) > seq);
    if (batch.status !== "FINALIZED" || isAfter) continue;
    sums[batch.point_type] += (batch.is_reversal ? -1n : 1n) * parseSum(batch.points);
  }
  return byPointType((type) => formatPoints(sums[type]));
}

/** What people do to a wallet's batches, one after the other. */
const action = fc.oneof(
  fc.record({
    do: fc.constant("pay" as const),
    units: fc.bigInt({ min: 10n ** 10n, max: 10n ** 20n }),
    isGold: fc.boolean(),
    isDue: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom("hold", "release", "cancel", "reverse"), which: fc.nat() }),
  fc.record({ do: fc.constantFrom("finalize", "index") }),
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

let wallets = 0x5_0000;
let batches = 0;

async function run(address: string, actions: readonly Action[]): Promise<void> {
  const ids: string[] = [];
  for (const done of actions) {
    if ("units" in done) {
      const batchId = `b-${++batches}`;
      ids.push(batchId);
      await submit(contractAddress, [[address, formatPoints(done.units)]], {
        batchId,
        pointType: done.isGold ? "PHASE2_GOLD" : "PHASE2_POINTS",
        secondsToFinalize: done.isDue ? 0 : 3600,
      });
    } else if (done.do === "finalize") await finalize();
    else if (done.do === "index") await indexAll(db);
    else if ("which" in done && ids.length > 0)
      await change(done.do, ids[done.which % ids.length]!).catch(() => "refused in its state");
  }
}

async function change(verb: string, batchId: string): Promise<unknown> {
  const key = { contractAddress, batchId };
  if (verb === "hold") return await holdBatch(staffContext(db), { ...key, reason: "to be checked" });
  if (verb === "release") return await releaseBatch(staffContext(db), { ...key, reason: "checked" });
  if (verb === "cancel") return await cancelBatch(context(), key);
  const reversal = { ...key, reversalId: `r-${++batches}`, secondsToFinalize: 0 };
  return await reverseBatch(context(), LIMITS, reversal);
}

test("whatever happens to its batches, a wallet's list has pending ones first, by due time, and then the latest credit, with the exact balance after each, on pages of any size, and the holding at each instant is the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 4, maxLength: 24 }),
      fc.integer({ min: 1, max: 5 }),
      async (actions, limit) => {
        const address = wallet(++wallets);
        await run(address, actions);
        const stored = await storedOf(address);
        const expected = stored
          .toSorted((a, b) => b.ended_ms - a.ended_ms || Number(b.seq) - Number(a.seq))
          .map((batch) => [batch.id, heldAfter(stored, batch.ended_ms, Number(batch.seq))]);
        const found: unknown[] = [];
        let cursor: string | null = null;
        do {
          const page = await listReceived(context(), { address, limit, cursor });
          found.push(...page.transfers.map(({ batchId, running }) => [batchId, running]));
          cursor = page.cursor;
        } while (cursor);
        expect(found).toEqual(expected);
        for (const { finalized_ms, created_ms } of stored)
          for (const ms of [created_ms, finalized_ms ?? created_ms]) {
            const { points } = await readHolding(context(), { address, at: new Date(ms).toISOString() });
            const held = heldAfter(stored, ms, Number.MAX_SAFE_INTEGER);
            expect(byPointType((type) => points[type].balance)).toEqual(held);
          }
      },
    ),
    { numRuns: 40 },
  );
});

test("a transfer that was held is listed where it was credited, above those created after it", async () => {
  const address = wallet(0x5_ffff);
  const pay = (batchId: string) => submit(contractAddress, [[address, "1"]], { batchId });
  const key = { contractAddress, batchId: "held-back" };
  await pay("held-back");
  await holdBatch(staffContext(db), { ...key, reason: "to be checked" });
  await pay("meanwhile");
  await finalize();
  await releaseBatch(staffContext(db), { ...key, reason: "checked" });
  await finalize();
  const { transfers } = await listReceived(context(), { address });
  expect(transfers.map(({ batchId, running }) => [batchId, running!.PHASE2_POINTS])).toEqual([
    ["held-back", "2"],
    ["meanwhile", "1"],
  ]);
});

test.each([
  ["2999-01-01T00:00:00Z", { code: "validation_failed" }],
  ["1999-01-01T00:00:00Z", { balance: "0", received: "0", takenBack: "0" }],
])("the holding of a wallet at %s is %j", async (at, expected) => {
  const holding = readHolding(context(), { address: wallet(1), at });
  if ("code" in expected) await expect(holding).rejects.toMatchObject(expected);
  else expect((await holding).points.PHASE2_POINTS).toEqual(expected);
});
