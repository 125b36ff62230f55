import type { MeasuredWave } from "./measure-waves";

/** Milliseconds per chunk, batch and transfer, by least squares; negative costs become zero. */
export function fitCost(waves: readonly MeasuredWave[]): {
  base: number;
  perBatch: number;
  perTransfer: number;
} {
  const rows = waves.map(({ chunks, batches, transfers }) => [chunks, batches, transfers]);
  // Relative errors, so that short waves matter as much as long ones.
  const weights = waves.map(({ ms }) => 1 / ms ** 2);
  for (let free = [0, 1, 2]; ; ) {
    const solved = solve(rows, waves, weights, free);
    const worst = free.find((column, at) => solved[at]! < 0 && column >= 0);
    if (worst === undefined || free.length === 1) {
      const cost = [0, 0, 0];
      free.forEach((column, at) => {
        cost[column] = Math.max(0, solved[at]!);
      });
      return { base: cost[0]!, perBatch: cost[1]!, perTransfer: cost[2]! };
    }
    free = free.filter((column) => column !== worst);
  }
}

/** Solves the normal equations of some columns by elimination. */
function solve(
  rows: number[][],
  waves: readonly MeasuredWave[],
  weights: number[],
  free: number[],
): number[] {
  const size = free.length;
  const matrix = free.map((one) => [
    ...free.map((other) => sum(rows, (row, at) => weights[at]! * row[one]! * row[other]!)),
    sum(rows, (row, at) => weights[at]! * row[one]! * waves[at]!.ms),
  ]);
  for (let pivot = 0; pivot < size; pivot++) {
    const best = matrix
      .slice(pivot)
      .reduce(
        (most, row, at) => (Math.abs(row[pivot]!) > Math.abs(matrix[most]![pivot]!) ? at + pivot : most),
        pivot,
      );
    [matrix[pivot], matrix[best]] = [matrix[best]!, matrix[pivot]!];
    for (let at = 0; at < size; at++) {
      if (at === pivot) continue;
      const factor = matrix[at]![pivot]! / matrix[pivot]![pivot]!;
      matrix[at] = matrix[at]!.map((value, column) => value - factor * matrix[pivot]![column]!);
    }
  }
  return matrix.map((row, at) => row[size]! / row[at]!);
}

function sum(rows: number[][], value: (row: number[], at: number) => number): number {
  return rows.reduce((total, row, at) => total + value(row, at), 0);
}
