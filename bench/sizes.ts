import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { countFacets } from "@/server/batches/list/count-batches";
import { listBatches } from "@/server/batches/list/list-batches";
import { seedDemo } from "@/server/demo/seed-demo";
import { addressFromBytes } from "@/server/kernel/values/addresses";
import { table } from "./measure";
import { withEmptyDatabase } from "./waves/measure-waves";
import { quantile } from "./waves/simulate-waves";

const SIZES = [10_000, 100_000];
const TABLES = ["batches", "batch_transfers", "recipient_transfers", "issuances", "accounts"];
const RUNS = 60;

/** Bytes per row of each table and its indexes, and the cost of reads, at two sizes of the demo's month. */
export async function benchSizes(): Promise<void> {
  const bytes: string[][] = [];
  const times: string[][] = [];
  await atEachSize(SIZES, async (db, [batches]) => {
    bytes.push(...(await bytesOf(db)).map((row) => [batches, ...row]));
    times.push(...(await timesOf(db)).map((row) => [batches, ...row]));
  });
  console.log(`\n${table(["batches", "table", "rows", "bytes per row", "index bytes per row"], bytes)}`);
  console.log(`\nMilliseconds, tenth percentile of ${RUNS} runs, because the machine may do other work:\n`);
  console.log(table(["batches", "read", "ms"], times));
}

/** Measures the demo's month with each number of batches, in a Postgres of its own. */
export async function atEachSize(
  sizes: readonly number[],
  measure: (db: Database, stored: [batches: string, transfers: string]) => Promise<void>,
): Promise<void> {
  for (const batches of sizes)
    await withEmptyDatabase(async (db) => {
      const people = { add: false, adminEmail: "admin@example.com", adminPassword: randomUUID() };
      const { transfers } = await seedDemo(db, { batches, seed: 1, ...people });
      console.log(`${batches} batches with ${transfers} transfers stored.`);
      await measure(db, [batches.toLocaleString("en"), transfers.toLocaleString("en")]);
    });
}

async function bytesOf(db: Database): Promise<string[][]> {
  const rows = await db.sql<{ name: string; rows: number; heap: number; indexes: number }[]>`
    select relname as name, reltuples::float8 as rows, pg_table_size(oid)::float8 as heap, pg_indexes_size(oid)::float8 as indexes
    from pg_class where oid = any(${TABLES}::text[]::regclass[]) order by array_position(${TABLES}::text[], relname::text)`;
  return rows.map(({ name, rows: count, heap, indexes }) => [
    name,
    count.toLocaleString("en"),
    (heap / count).toFixed(0),
    (indexes / count).toFixed(0),
  ]);
}

async function timesOf(db: Database): Promise<string[][]> {
  const ctx = { db, actor: "bench", requestId: "bench" };
  const [largest] = await db.sql<{ address: Buffer }[]>`
    select contract_address as address from batches group by 1 order by count(*) desc limit 1`;
  const contractAddress = addressFromBytes(largest!.address);
  const reads = {
    "page of 50 of the largest contract": () => listBatches(ctx, { contractAddress }),
    "page of 50 of all contracts": () => listBatches(ctx, {}),
    "all counts of a contract": () => countFacets(ctx, { contractAddress }),
    "all counts over all contracts": () => countFacets(ctx, {}),
  };
  const rows: string[][] = [];
  for (const [name, read] of Object.entries(reads)) {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const startedAt = performance.now();
      await read();
      times.push(performance.now() - startedAt);
    }
    times.sort((one, other) => one - other);
    rows.push([name, quantile(times, 0.1).toFixed(1)]);
  }
  return rows;
}
