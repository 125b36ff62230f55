import { beforeAll, describe, expect, test } from "vitest";
import { indexAll } from "@/testing/catch-up";
import { shifted, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { cancelBatch } from "../batches/change/cancel-batch";
import { holdBatch } from "../batches/change/hold-batch";
import { exportReceived } from "./export-received";
import { listReceived, sumReceived } from "./list-received";
import type { ReceivedFilters } from "./schema";

// The ledger's rules refuse a batch that was due before it was created, as the overdue ones here.
const { db, context, newContract, submit, finalize } = useLedger({ balances: false });

const address = wallet(0x991);
let one: string;
let other: string;
/** Creation time of each batch. */
const createdAt: Record<string, string> = {};

/** Seven transfers from two contracts, one in each state, of which the last two are not indexed yet. */
beforeAll(async () => {
  [one, other] = [await newContract(), await newContract()];
  const staff = context("staff:a@example.com");
  const pay = async (
    contract: string,
    batchId: string,
    points: string,
    pointType: "PHASE2_POINTS" | "PHASE2_GOLD",
    secondsToFinalize = 0,
  ) => {
    await submit(contract, [[address, points]], { batchId, pointType, secondsToFinalize });
    // Bounds have milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 3));
  };
  await pay(one, "credited", "10.000000000001", "PHASE2_POINTS");
  await pay(other, "credited-gold", "2", "PHASE2_GOLD");
  await finalize();
  await pay(other, "pending", "5", "PHASE2_POINTS", 3600);
  await pay(one, "cancelled", "7", "PHASE2_POINTS", 3600);
  await cancelBatch(context(), { contractAddress: one, batchId: "cancelled" });
  await pay(one, "held", "3", "PHASE2_POINTS", 3600);
  await holdBatch(staff, { contractAddress: one, batchId: "held", reason: "looks odd" });
  await indexAll(db);
  await pay(other, "held-gold", "0.5", "PHASE2_GOLD", 0);
  await holdBatch(staff, { contractAddress: other, batchId: "held-gold", reason: "looks odd" });
  await pay(other, "overdue", "1", "PHASE2_POINTS", 0);
  await withoutTriggers(
    db,
    `update batches set finalize_at = ${shifted("finalize_at", -60)} where id in ('overdue', 'held-gold')`,
  );
  for (const { batchId, createdAt: at } of (await listReceived(context(), { address })).transfers)
    createdAt[batchId] = at;
});

async function listed(filters: Partial<ReceivedFilters>, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listReceived(context(), { address, ...filters, limit, cursor });
    ids.push(...page.transfers.map(({ batchId }) => batchId));
    cursor = page.cursor;
  } while (cursor);
  return ids;
}

async function exported(filters: Partial<ReceivedFilters>) {
  const rows = [];
  for await (const page of await exportReceived(context(), { address, ...filters })) rows.push(...page);
  return rows;
}

const CASES: [string, () => Partial<ReceivedFilters>, string[]][] = [
  ["one status", () => ({ statuses: ["CANCELLED"] }), ["cancelled"]],
  [
    "several statuses",
    () => ({ statuses: ["FINALIZED", "CANCELLED"] }),
    ["cancelled", "credited-gold", "credited"],
  ],
  ["batches on hold", () => ({ held: true }), ["held-gold", "held"]],
  ["overdue batches, which none on hold is", () => ({ overdue: true }), ["overdue"]],
  ["a contract", () => ({ contractAddress: one.toLowerCase() }), ["held", "cancelled", "credited"]],
  ["a type", () => ({ pointType: "PHASE2_GOLD" }), ["held-gold", "credited-gold"]],
  [
    "a period, bounds excluded",
    () => ({ createdAfter: createdAt["credited-gold"]!, createdBefore: createdAt["held-gold"]! }),
    ["held", "cancelled", "pending"],
  ],
  [
    "all of them together",
    () => ({
      statuses: ["PENDING"],
      held: true,
      contractAddress: other,
      pointType: "PHASE2_GOLD",
      createdAfter: createdAt.held!,
    }),
    ["held-gold"],
  ],
  ["nothing that exists", () => ({ statuses: ["FINALIZING"] }), []],
];

describe.each(CASES)("transfers filtered by %s", (_name, filters, expected) => {
  test("are the same in the list, on pages of any size, and in the CSV", async () => {
    for (const limit of [1, 2, 50]) expect(await listed(filters(), limit)).toEqual(expected);
    expect((await exported(filters())).map(({ batchId }) => batchId).reverse()).toEqual(expected);
  });

  test("have exact sums, each type under its own name", async () => {
    const sums = await sumReceived(context(), { address, ...filters() });
    const rows = await exported(filters());
    const count = (pointType: string) => rows.filter((row) => row.pointType === pointType).length;
    expect(sums.isWhole).toBe(true);
    expect([sums.points.PHASE2_POINTS.transfers, sums.points.PHASE2_GOLD.transfers]).toEqual([
      count("PHASE2_POINTS"),
      count("PHASE2_GOLD"),
    ]);
  });
});

test("sums of filtered transfers are kept apart by what became of them", async () => {
  const { points } = await sumReceived(context(), { address, createdBefore: "2100-01-01" });
  expect(points).toEqual({
    PHASE2_POINTS: {
      transfers: 5,
      credited: "10.000000000001",
      pending: "6",
      held: "3",
      cancelled: "7",
      takenBack: "0",
      takingBack: "0",
    },
    PHASE2_GOLD: {
      transfers: 2,
      credited: "2",
      pending: "0",
      held: "0.5",
      cancelled: "0",
      takenBack: "0",
      takingBack: "0",
    },
  });
});

test("the balances in a filtered CSV are those of the address, not of the filtered rows", async () => {
  const [row] = await exported({ statuses: ["CANCELLED"] });
  expect(row!.running).toEqual({ PHASE2_POINTS: "10.000000000001", PHASE2_GOLD: "2" });
});

test("a cursor does not continue under other filters", async () => {
  const { cursor } = await listReceived(context(), { address, pointType: "PHASE2_POINTS", limit: 1 });
  await expect(
    listReceived(context(), { address, pointType: "PHASE2_GOLD", limit: 1, cursor }),
  ).rejects.toMatchObject({ code: "cursor_mismatch" });
});
