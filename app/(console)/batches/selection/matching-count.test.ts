import { expect, test } from "vitest";
import type { BatchFacets } from "@/server/batches/list/console-schema";
import { matchingCount } from "./use-selection";

const facets: BatchFacets = {
  statuses: { PENDING: 7, CANCELLED: 2, FINALIZING: 1, FINALIZED: 30 },
  pointTypes: { PHASE2_POINTS: 40, PHASE2_GOLD: 0 },
  overdue: 3,
  held: 4,
  awaitingApproval: 5,
  unusual: 0,
  reversals: 0,
  countMax: 10_000,
  isWhole: true,
};

test.each([
  [null, 40],
  [["PENDING"], 7],
  [["PENDING", "CANCELLED"], 9],
  [["HELD"], 4],
  [["AWAITING_APPROVAL"], 5],
  [["OVERDUE"], 3],
  [["HELD", "OVERDUE"], null],
  [["HELD", "PENDING"], null],
] as const)("the number of batches that match the statuses %j is %j", (status, count) => {
  expect(matchingCount({ status: status && [...status], unblocked: null }, facets)).toBe(count);
});

test("no number is given beyond the cap of a count, or where only some transfers were counted", () => {
  const many = { ...facets, statuses: { ...facets.statuses, FINALIZED: 10_001 } };
  expect(matchingCount({ status: null, unblocked: null }, many)).toBeNull();
  expect(matchingCount({ status: ["PENDING"], unblocked: null }, many)).toBe(7);
  expect(matchingCount({ status: null, unblocked: null }, { ...facets, isWhole: false })).toBeNull();
  expect(matchingCount({ status: null, unblocked: null }, undefined)).toBeNull();
  expect(matchingCount({ status: null, unblocked: true }, facets)).toBeNull();
});
