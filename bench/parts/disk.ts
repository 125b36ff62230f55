import { submitBatch } from "@/server/batches/submit/submit-batch";
import { batchLimits } from "@/server/kernel/batch-limits";
import { parseSettings } from "@/server/kernel/settings";
import { makeTransfers } from "../load/make-requests";
import { spreadOf, table } from "../measure";
import { unpackIntoRows } from "../peers/rows";
import type { BenchOptions, Figure, PartReport } from "../report";
import { type BenchDatabase, makeCallers, type World } from "../world";

interface Case {
  transfers: number;
  /** The same number for each caller. */
  batches: number;
  atMost?: number;
}

const CASES: readonly Case[] = [
  { transfers: 2000, batches: 320, atMost: 30 },
  { transfers: 100, batches: 2000 },
  { transfers: 20, batches: 4800, atMost: 55 },
  { transfers: 1, batches: 4800 },
];
const CALLERS = 16;

/** Bytes per transfer, including indexes and overhead, packed and as its own row. */
export async function benchDisk({ wants }: BenchOptions, world: World): Promise<PartReport> {
  const rows: string[][] = [];
  const figures: Figure[] = [];
  for (const each of CASES.filter((one) => wants(nameOf(one)))) {
    const { packed, unpacked } = await measureCase(world, each);
    console.log(`  ${nameOf(each)}: ${packed.toFixed(1)} bytes packed, ${unpacked.toFixed(1)} as rows`);
    rows.push([each.transfers.toLocaleString("en"), packed.toFixed(1), unpacked.toFixed(1)]);
    figures.push({
      key: `disk.${each.transfers}`,
      what: `${nameOf(each)}, bytes`,
      worse: "higher",
      ...spreadOf([packed]),
      ...(each.atMost && { target: { atMost: each.atMost } }),
    });
  }
  return {
    title: "Disk, bytes per transfer, without the index by recipient",
    text: table(["transfers in the batch", "packed", "a row per transfer"], rows),
    figures,
    rounds: 1,
  };
}

const nameOf = ({ transfers }: Case) => `disk per transfer at ${transfers.toLocaleString("en")} per batch`;

async function measureCase(world: World, { transfers, batches }: Case) {
  const stored = await world.newDatabase(`packed_${transfers}`);
  await submitBatches(stored, transfers, batches);
  const packed = (await bytesOf(stored, "batch_transfers")) / transfers / batches;
  const rows = await world.copyDatabase(`rows_${transfers}`, stored.name);
  await unpackIntoRows(rows.db);
  const unpacked = (await bytesOf(rows, "transfers")) / transfers / batches;
  for (const { name } of [stored, rows]) await world.dropDatabase(name);
  return { packed, unpacked };
}

/** Uses the service's own function, one batch after the other per contract, so that pages fill as in production. */
async function submitBatches({ db }: BenchDatabase, transfers: number, batches: number): Promise<void> {
  const limits = batchLimits(parseSettings({}));
  const ctx = { db, actor: "token:bench", requestId: "bench" };
  const submitFor = async (contractAddress: string) => {
    for (let at = 0; at < batches / CALLERS; at++) {
      const rows = makeTransfers({ transfers, letters: "lower" });
      await submitBatch(ctx, limits, { contractAddress, pointType: "PHASE2_POINTS", transfers: rows });
    }
  };
  const callers = await makeCallers(db, CALLERS);
  await Promise.all(callers.map(({ contractAddress }) => submitFor(contractAddress)));
}

async function bytesOf({ db }: BenchDatabase, name: string): Promise<number> {
  const [row] = await db.sql<
    { bytes: number }[]
  >`select pg_total_relation_size(${name}::text)::float8 as bytes`;
  return row!.bytes;
}
