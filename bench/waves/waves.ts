import type { Database } from "@/db/client";
import { table } from "../measure";
import { fitCost } from "./fit-cost";
import {
  empty,
  type MeasuredWave,
  measureChunks,
  measureLags,
  storeWave,
  withEmptyDatabase,
} from "./measure-waves";
import { plotLags } from "./plot-lags";
import { type Bounds, type ChunkCost, quantile, simulateWaves, type WaveBatch, wave } from "./simulate-waves";

/** The service's limits (server/finalizer). */
const BOUNDS: Bounds = {
  chunkBatchesMax: 500,
  chunkTransfersMax: 20_000,
  tickMs: 500,
  budgetMs: 20_000,
  afterRunMs: 1000,
};
/** [batches, transfers each], to which the cost of a chunk is fitted. */
const FITTED_WAVES = [
  [2000, 1],
  [2000, 20],
  [500, 100],
] as const;
/** Each round measures everything once, so that other work affects all of it. The middle round counts. */
const ROUNDS = 3;
const CHECKED_WAVE = { batches: 5000, transfers: 20 };

/**
 * Measures the cost of chunks on its own Postgres, compares the simulation with real waves of one and two finalizers, then
 * simulates waves that would take hours on this machine. Writes the plots to `docs`.
 */
export async function benchWaves(): Promise<void> {
  const cost = await withEmptyDatabase(async (db) => {
    await measureFresh(db, FITTED_WAVES[1], measureChunks);
    const waves: MeasuredWave[][] = FITTED_WAVES.map(() => []);
    const real = new Map<number, number[][]>([
      [1, []],
      [2, []],
    ]);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, size] of FITTED_WAVES.entries())
        waves[at]!.push(await measureFresh(db, size, measureChunks));
      for (const [finalizers, lags] of real) {
        const size = [CHECKED_WAVE.batches, CHECKED_WAVE.transfers] as const;
        lags.push(await measureFresh(db, size, () => measureLags(db, finalizers, BOUNDS)));
      }
    }
    const single = fitCost(waves.map((each) => middle(each, ({ ms }) => ms)));
    console.log(costWords(waves, single));
    return checkAgainst(
      new Map([...real].map(([finalizers, each]) => [finalizers, middle(each, (lags) => lags.at(-1)!)])),
      single,
    );
  });
  simulateMany(cost);
}

async function measureFresh<T>(
  db: Database,
  [count, transfers]: readonly [number, number],
  measure: (db: Database) => Promise<T>,
): Promise<T> {
  await empty(db);
  await storeWave(db, count, transfers);
  return measure(db);
}

function middle<T>(values: readonly T[], by: (value: T) => number): T {
  return [...values].sort((one, other) => by(one) - by(other))[values.length >> 1]!;
}

function costWords(
  waves: readonly (readonly MeasuredWave[])[],
  cost: Omit<ChunkCost, "perNeighbour">,
): string {
  const rates = FITTED_WAVES.map(([count, transfers], at) => {
    const each = waves[at]!.map(({ ms }) => Math.round((count / ms) * 1000));
    return [
      `${count} of ${transfers}`,
      each.join(", "),
      String(Math.round(middle(each, Number) * transfers)),
    ];
  });
  return `${table(["wave, one finalizer", "batches/s, each round", "transfers/s, middle"], rates)}

A chunk costs ${cost.base.toFixed(1)} ms, and ${(cost.perBatch * 1000).toFixed(0)} µs a batch, and ${(cost.perTransfer * 1000).toFixed(1)} µs a transfer.`;
}

/** Fits the cost of a second finalizer to a measured wave, and compares simulation and measurement. */
function checkAgainst(real: Map<number, number[]>, single: Omit<ChunkCost, "perNeighbour">): ChunkCost {
  const simulated = (finalizers: number, perNeighbour: number) =>
    sortedLags(wave(CHECKED_WAVE.batches, CHECKED_WAVE.transfers), finalizers, { ...single, perNeighbour });
  const off = (perNeighbour: number) =>
    Math.abs(quantile(simulated(2, perNeighbour), 0.5) - quantile(real.get(2)!, 0.5));
  const steps = Array.from({ length: 41 }, (_, at) => at / 20);
  const perNeighbour = steps.reduce((best, one) => (off(one) < off(best) ? one : best));
  console.log(`Next to another finalizer it takes ${(1 + perNeighbour).toFixed(2)} times as long.\n`);
  const curves = [...real].flatMap(([finalizers, lags]) => [
    { name: `${finalizers} measured`, lags },
    { name: `${finalizers} simulated`, lags: simulated(finalizers, perNeighbour), dashed: true },
  ]);
  const words = `${CHECKED_WAVE.batches.toLocaleString("en")} batches of ${CHECKED_WAVE.transfers} transfers, due at the same time`;
  plotLags("docs/waves-check.svg", words, curves);
  console.log(`${words}:\n`);
  console.log(table(["finalizers", "half after, s", "95 % after, s", "last after, s"], curves.map(rowOf)));
  return { ...single, perNeighbour };
}

const rowOf = ({ name, lags }: { name: string; lags: number[] }): string[] => [
  name,
  ...[quantile(lags, 0.5), quantile(lags, 0.95), lags.at(-1)!].map((ms) => (ms / 1000).toFixed(1)),
];

function sortedLags(batches: readonly WaveBatch[], finalizers: number, cost: ChunkCost): number[] {
  return simulateWaves(batches, { finalizers, cost }, BOUNDS).sort((one, other) => one - other);
}

/** Waves on the hour, and the same waves spread over time. */
function simulateMany(cost: ChunkCost): void {
  const rows: string[][] = [];
  const curves: { name: string; lags: number[] }[] = [];
  for (const count of [1000, 10_000, 100_000, 1_000_000])
    for (const spreadSeconds of [0, 60, 600])
      for (const finalizers of [1, 2]) {
        const lags = sortedLags(wave(count, CHECKED_WAVE.transfers, spreadSeconds * 1000), finalizers, cost);
        const name = `${finalizers} finalizer${finalizers > 1 ? "s" : ""}`;
        const [, ...times] = rowOf({ name, lags });
        rows.push([
          count.toLocaleString("en"),
          spreadSeconds ? `${spreadSeconds} s` : "one instant",
          name,
          ...times,
        ]);
        if (count === 100_000 && spreadSeconds !== 600)
          curves.push({ name: `${name}, ${spreadSeconds ? "over a minute" : "at the same time"}`, lags });
      }
  plotLags("docs/waves.svg", "100,000 batches of 20 transfers, simulated", curves);
  console.log(`\nSimulated, batches of ${CHECKED_WAVE.transfers} transfers:\n`);
  console.log(
    table(["batches", "due within", "by", "half after, s", "95 % after, s", "last after, s"], rows),
  );
}
