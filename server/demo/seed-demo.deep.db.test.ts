import { beforeAll, expect, test } from "vitest";
import { findBatch, findTransfers } from "@/server/batches/list/get-batch";
import { listConsoleBatches } from "@/server/batches/list/list-console-batches";
import { catchUpReviews } from "@/server/batches/review/review-new-batches";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { LIMITS } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { seedDemo } from "./seed-demo";

const OPTIONS = { batches: 1500, add: false, adminEmail: "Admin@example.com" };

const { db, context } = useLedger();
beforeAll(async () => {
  await seedDemo(db, OPTIONS);
});

test("demo data has every state that lasts, batches on hold, none overdue, both issuances", async () => {
  const [row] = await db.sql`
      select count(*)::int as all,
        count(*) filter (where status = 'CANCELLED' and cancel_reason is not null) > 0 as reasons,
        count(*) filter (where status = 'PENDING' and held_at is null and finalize_at <= now())::int as overdue,
        count(*) filter (where status = 'PENDING' and held_at is not null)::int >= 4 as held,
        array_agg(distinct status::text order by status::text) as statuses,
        max(created_at) < now() and min(created_at) > now() - interval '31 days' as in_the_last_month
      from batches`;
  expect(row).toEqual({
    all: 1500,
    reasons: true,
    overdue: 0,
    held: true,
    statuses: ["CANCELLED", "FINALIZED", "PENDING"],
    in_the_last_month: true,
  });
  const contracts =
    await db.sql`select issuance, count(*)::int as count from contracts group by 1 order by 1`;
  expect(contracts).toMatchObject([
    { issuance: "ON_DEMAND", count: 2 },
    { issuance: "PREFUNDED", count: 1 },
  ]);
});

test("a batch of the demo that is submitted again is recognized", async () => {
  const keys = await db.sql<{ id: string; contractAddress: string; seconds: number }[]>`
    select id, '0x' || encode(contract_address, 'hex') as "contractAddress", wait_seconds as seconds
    from batches where status = 'FINALIZED' order by seq limit 20`;
  for (const { id: batchId, contractAddress, seconds } of keys) {
    const stored = await findBatch(context(), contractAddress, batchId);
    const { pointType } = stored;
    const secondsToFinalize = seconds === 86_400 ? undefined : seconds;
    const transfers = await findTransfers(context(), stored);
    const again = { contractAddress, batchId, pointType, secondsToFinalize, transfers };
    expect(await submitBatch(context(), LIMITS, again)).toEqual({ batchId, replayed: true });
  }
});

test("demo data has one pending batch that is marked unusual, and no other after the service has reviewed", async () => {
  await catchUpReviews(db, 10);
  const { batches } = await listConsoleBatches(context(), { unusual: true });
  expect(batches).toMatchObject([
    { status: "PENDING", heldAt: null, contractLabel: "Rewards", flag: { level: "alarming" } },
  ]);
});

test("demo data is refused in a database with batches, and the same is not added twice", async () => {
  await expect(seedDemo(db, { ...OPTIONS, batches: 50 })).rejects.toThrow(/already contains batches/);
  await expect(seedDemo(db, { ...OPTIONS, batches: 50, add: true })).rejects.toThrow(
    /has already been added/,
  );
});
