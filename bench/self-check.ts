import type { Database } from "@/db/client";
import { type CheckOptions, runCheck } from "@/server/ledger/run-check";
import { spreadOf, table, withSpread } from "./measure";
import { atEachSize } from "./sizes";

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
  await atEachSize(SIZES, async (db, stored) => {
    const [accounts] = await db.sql<{ count: number }[]>`select count(*)::int as count from accounts`;
    const sizes = [...stored, accounts!.count.toLocaleString("en")];
    for (const [name, runs, options] of CHECKS) rows.push([...sizes, name, await timed(db, runs, options)]);
  });
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
