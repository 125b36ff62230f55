import { expect, test } from "vitest";
import { fitCost } from "./fit-cost";

const chunk = (batches: number, transfers: number, ms: number) => ({ chunks: 1, batches, transfers, ms });

test("finds the costs that the chunks were made from", () => {
  const made = [
    [1, 10],
    [500, 500],
    [500, 10_000],
    [10, 20_000],
  ].map(([batches, transfers]) => chunk(batches!, transfers!, 4 + 0.05 * batches! + 0.003 * transfers!));
  const cost = fitCost(made);
  expect(cost.base).toBeCloseTo(4, 6);
  expect(cost.perBatch).toBeCloseTo(0.05, 6);
  expect(cost.perTransfer).toBeCloseTo(0.003, 6);
});

test("never finds a negative cost", () => {
  const cost = fitCost([chunk(1, 10, 1), chunk(2, 20, 3), chunk(4, 50, 9), chunk(8, 70, 15)]);
  expect(Math.min(cost.base, cost.perBatch, cost.perTransfer)).toBeGreaterThanOrEqual(0);
});
