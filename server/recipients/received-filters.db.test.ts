import { beforeAll, expect, test } from "vitest";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { holdBatch } from "@/server/batches/change/hold-batch";
import { indexAll } from "@/testing/catch-up";
import { shifted, wallet, withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
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
    ["pending", "held", "cancelled"],
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

test.each(CASES)(
  "transfers filtered by %s are the same in the list, on pages of any size, in the CSV and in the sums",
  async (_, filters, expected) => {
    for (const limit of [1, 2, 50]) expect(await listed(filters(), limit)).toEqual(expected);
    const rows = await exported(filters());
    expect(rows.map(({ batchId }) => batchId).toSorted()).toEqual(expected.toSorted());
    const sums = await sumReceived(context(), { address, ...filters() });
    const count = (pointType: string) => rows.filter((row) => row.pointType === pointType).length;
    expect(sums.isWhole).toBe(true);
    expect([sums.points.PHASE2_POINTS.transfers, sums.points.PHASE2_GOLD.transfers]).toEqual([
      count("PHASE2_POINTS"),
      count("PHASE2_GOLD"),
    ]);
  },
);

test("sums of filtered transfers are kept apart by what became of them, and balances are those of the address", async () => {
  const { points } = await sumReceived(context(), { address, createdBefore: "2100-01-01" });
  const nothing = { takenBack: "0", takingBack: "0" };
  expect(points).toEqual({
    PHASE2_POINTS: {
      ...nothing,
      transfers: 5,
      credited: "10.000000000001",
      pending: "6",
      held: "3",
      cancelled: "7",
    },
    PHASE2_GOLD: { ...nothing, transfers: 2, credited: "2", pending: "0", held: "0.5", cancelled: "0" },
  });
  // The balances in a filtered CSV are those of the address.
  const [row] = await exported({ statuses: ["CANCELLED"] });
  expect(row!.running).toEqual({ PHASE2_POINTS: "10.000000000001", PHASE2_GOLD: "2" });
});

test("a cursor continues only as it was given, for its address and its filters", async () => {
  const { cursor } = await listReceived(context(), { address, pointType: "PHASE2_POINTS", limit: 1 });
  const continued = (more: object) =>
    listReceived(context(), { address, pointType: "PHASE2_POINTS", limit: 1, cursor, ...more });
  await expect(continued({ pointType: "PHASE2_GOLD" })).rejects.toMatchObject({ code: "cursor_mismatch" });
  await expect(continued({ address: wallet(0x992) })).rejects.toMatchObject({ code: "cursor_mismatch" });
  await expect(continued({ cursor: `${cursor}0` })).rejects.toMatchObject({ code: "invalid_cursor" });
});
