import { parseArgs } from "node:util";
import { writeReport } from "./report";
import { describeResult, tableOf } from "./results";
import { FAULT_ROWS } from "./rows";
import { runRow } from "./run-row";

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
  const results = [];
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  for (const row of rows) {
    if (isStopped) break;
    console.log(`\n── ${row.name}: ${row.fault}`);
    const result = await runRow(row, { short: values.short, seed, allowMissing: values["allow-missing"] });
    console.log(describeResult(result));
    results.push(result);
    if (!values.short) writeReport(result, FAULT_ROWS);
  }
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
