import { parseArgs } from "node:util";
import type { Shape } from "../cluster/start-cluster";
import { haveTool } from "../install-tool.mjs";
import { writeReport } from "./report";
import { describeResult, type RowResult, tableOf } from "./results";
import { FAULT_ROWS, rowsOf } from "./rows";
import { runRow } from "./run-row";
import { stopSharedPostgres } from "./world";

const NGINX = { program: "nginx", package: "nginx-light", words: ["-v"] };
const PGBOUNCER = { program: "pgbouncer", package: "pgbouncer" };
/** Rows of the short run that run at the same time, because they mostly wait. */
const SHORT_LANES = 3;

/** `npm run faults [-- row …] [--short] [--shape cluster|pooled] [--seed n] [--allow-missing]` */
async function runFaults(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: "boolean", default: false },
      shape: { type: "string" },
      seed: { type: "string" },
      "allow-missing": { type: "boolean", default: false },
    },
  });
  const shape = shapeOf(values.shape);
  const possible = rowsOf(shape);
  const unknown = positionals.find((name) => !possible.some((row) => row.name === name));
  if (unknown)
    throw new Error(`There is no row ${unknown}. Rows: ${possible.map(({ name }) => name).join(", ")}.`);
  const seed = values.seed === undefined ? spawnSeed() : Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error("--seed must be a whole number.");
  console.log(
    `Faults${values.short ? ", short run" : ""}${shape ? `, ${shape}` : ""}; to repeat it: --seed ${seed}`,
  );
  const rows = possible.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  // Debian installs PgBouncer in a folder that is only in root's PATH.
  process.env.PATH += ":/usr/sbin";
  // Before the first row, because installing would disturb the rows.
  const ofShape = shape ? [NGINX, ...(shape === "pooled" ? [PGBOUNCER] : [])] : [];
  for (const tool of [...ofShape, ...rows.map((row) => row.tool)]) if (tool) haveTool(tool);
  const results: RowResult[] = [];
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const waiting = [...rows];
  const runLane = async () => {
    for (let row = waiting.shift(); row && !isStopped; row = waiting.shift()) {
      if (!values.short) console.log(`\n── ${row.name}: ${row.fault}`);
      const { short, "allow-missing": allowMissing } = values;
      const result = await runRow(row, { short, shape, seed, allowMissing });
      if (short) console.log(`\n── ${row.name}: ${row.fault}`);
      console.log(describeResult(result));
      results.push(result);
      if (shape || !short) writeReport(result, FAULT_ROWS);
    }
  };
  await Promise.all(Array.from({ length: values.short && !shape ? SHORT_LANES : 1 }, runLane));
  await stopSharedPostgres();
  console.log(`\n${tableOf(results)}`);
  const failed = results.filter(({ outcome }) => outcome === "failed");
  for (const result of failed) console.log(`\n── ${result.row.name}\n${describeResult(result)}`);
  console.log(
    failed.length === 0
      ? "\nEvery promise was kept."
      : `\nBroken: ${failed.map(({ row }) => row.name).join(", ")}; again with --seed ${seed}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function shapeOf(word: string | undefined): Shape | null {
  if (word !== undefined && word !== "cluster" && word !== "pooled")
    throw new Error("--shape must be cluster or pooled.");
  return word ?? null;
}

const spawnSeed = () => Math.floor(Math.random() * 2 ** 31);

await runFaults().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
