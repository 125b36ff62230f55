import { parseArgs } from "node:util";
import { haveTool } from "./install-tool";
import { writeReport } from "./report";
import { describeResult, type RowResult, tableOf } from "./results";
import { FAULT_ROWS } from "./rows";
import { runRow } from "./run-row";
import { stopSharedPostgres } from "./world";

/** Rows of the short form that run at the same time: most of each is waiting. */
const SHORT_LANES = 3;

/** `npm run faults [-- row …] [--short] [--seed n] [--allow-missing]` */
async function runFaults(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: "boolean", default: false },
      seed: { type: "string" },
      "allow-missing": { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !FAULT_ROWS.some((row) => row.name === name));
  if (unknown)
    throw new Error(`There is no row ${unknown}. Rows: ${FAULT_ROWS.map(({ name }) => name).join(", ")}.`);
  const seed = values.seed === undefined ? spawnSeed() : Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error("--seed must be a whole number.");
  console.log(`Faults${values.short ? ", short form" : ""}; the same commands again: --seed ${seed}`);
  const rows = FAULT_ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  // Debian keeps PgBouncer where only root's path leads.
  process.env.PATH += ":/usr/sbin";
  // Before the first row: installing stands in the way of whatever runs meanwhile.
  for (const { tool } of rows) if (tool) haveTool(tool);
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
      const result = await runRow(row, { short: values.short, seed, allowMissing: values["allow-missing"] });
      if (values.short) console.log(`\n── ${row.name}: ${row.fault}`);
      console.log(describeResult(result));
      results.push(result);
      if (!values.short) writeReport(result, FAULT_ROWS);
    }
  };
  await Promise.all(Array.from({ length: values.short ? SHORT_LANES : 1 }, runLane));
  await stopSharedPostgres();
  console.log(`\n${tableOf(results)}`);
  const failed = results.filter(({ outcome }) => outcome === "failed");
  console.log(
    failed.length === 0
      ? "\nEvery promise was kept."
      : `\nBroken: ${failed.map(({ row }) => row.name).join(", ")}; again with --seed ${seed}`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

const spawnSeed = () => Math.floor(Math.random() * 2 ** 31);

await runFaults().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
