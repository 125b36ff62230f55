import { expect, test } from "vitest";
import { type Bounds, simulateWaves, wave } from "./simulate-waves";

const BOUNDS: Bounds = {
  chunkBatchesMax: 500,
  chunkTransfersMax: 20_000,
  tickMs: 500,
  budgetMs: 20_000,
  afterRunMs: 1000,
};
const COST = { base: 10, perBatch: 0.1, perTransfer: 0.01, perNeighbour: 0 };
const run = (batches: ReturnType<typeof wave>, finalizers = 1, cost = COST) =>
  simulateWaves(batches, { finalizers, cost }, BOUNDS);

test("a chunk has at most 500 batches, and the next one waits for it", () => {
  const lags = run(wave(501, 1));
  expect(new Set(lags.slice(0, 500))).toEqual(new Set([10 + 50 + 5]));
  expect(lags[500]).toBeCloseTo(65 + 10 + 0.1 + 0.01, 9);
});

test("a chunk closes at 20,000 transfers", () => {
  const lags = run(wave(11, 2000));
  expect(new Set(lags.slice(0, 10)).size).toBe(1);
  expect(lags[10]).toBeGreaterThan(lags[9]!);
});

test("a batch that becomes due between two ticks waits for the next one", () => {
  expect(run([{ dueAt: 100, transfers: 0 }])).toEqual([500 + 10 + 0.1 - 100]);
});

test("two finalizers need half the time, unless each takes twice as long next to the other", () => {
  const last = (finalizers: number, perNeighbour: number) =>
    Math.max(...run(wave(10_000, 20), finalizers, { ...COST, perNeighbour }));
  const alone = last(1, 0);
  expect(last(2, 0)).toBeLessThan(alone * 0.7);
  expect(last(2, 1)).toBeGreaterThan(alone * 0.95);
});

test("a run that used up its budget pauses before it continues", () => {
  const lags = run(wave(400_000, 1));
  const gapMax = lags.slice(1).reduce((most, lag, at) => Math.max(most, lag - lags[at]!), 0);
  expect(gapMax).toBeGreaterThanOrEqual(1500);
});
