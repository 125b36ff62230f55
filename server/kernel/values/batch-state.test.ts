import { expect, test } from "vitest";
import { BATCH_STATUSES, mayBecome, NEXT_STATUSES } from "./batch-state";

const LEGAL = ["PENDING → FINALIZING", "PENDING → CANCELLED", "FINALIZING → FINALIZED"];

test("exactly three status transitions are allowed", () => {
  const all = BATCH_STATUSES.flatMap((from) => BATCH_STATUSES.map((to) => [from, to] as const));
  expect(all).toHaveLength(16);
  const legal = all.filter(([from, to]) => mayBecome(from, to)).map(([from, to]) => `${from} → ${to}`);
  expect(legal.sort()).toEqual([...LEGAL].sort());
});

test("CANCELLED and FINALIZED are final", () => {
  expect(BATCH_STATUSES.filter((status) => NEXT_STATUSES[status].length === 0)).toEqual([
    "CANCELLED",
    "FINALIZED",
  ]);
});
