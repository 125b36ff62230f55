import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { seedDemo } from "@/server/demo/seed-demo";
import { type CheckOptions, runCheck } from "@/server/ledger/run-check";
import { spreadOf, table, withSpread } from "./measure";
import { withEmptyDatabase } from "./waves/measure-waves";

const SIZES = [10_000, 100_000, 400_000];
const SECONDS_MAX = 1800;
const CHECKS: [name: string, runs: number, options: Pick<CheckOptions, "reach" | "slices">][] = [
  ["whole", 3, { reach: "whole" }],
  ["incremental, 7 slices per round", 7, { reach: "incremental", slices: 7 }],
  ["incremental, 168 slices per round", 15, { reach: "incremental", slices: 168 }],
];

/** How long the self-check takes, at three sizes of the demo's month. */
export async function benchSelfCheck(): Promise<void> {
  const rows: string[][] = [];
  for (const batches of SIZES) {
    await withEmptyDatabase(async (db) => {
      const people = { add: false, adminEmail: "admin@example.com", adminPassword: randomUUID() };
      const { transfers } = await seedDemo(db, { batches, seed: 1, ...people });
      const [accounts] = await db.sql<{ count: number }[]>`select count(*)::int as count from accounts`;
      const sizes = [batches, transfers, accounts!.count].map((count) => count.toLocaleString("en"));
      console.log(`${sizes[0]} batches, ${sizes[1]} transfers, ${sizes[2]} accounts stored.`);
      for (const [name, runs, options] of CHECKS) rows.push([...sizes, name, await timed(db, runs, options)]);
    });
  }
  console.log(
    `\n${table(["batches", "transfers", "accounts", "check", "seconds: median (least–most)"], rows)}`,
  );
}

async function timed(db: Database, runs: number, options: Partial<CheckOptions>): Promise<string> {
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    const report = await runCheck(db, { startedBy: "ops", secondsMax: SECONDS_MAX, ...options });
    seconds.push((performance.now() - startedAt) / 1000);
    if (!report?.ok || report.reach !== options.reach)
      throw new Error(`The check found differences, or was not the requested one: ${JSON.stringify(report)}`);
  }
  return withSpread(spreadOf(seconds));
}
