// The second half of `npm run test:citus`: `[-- --faults] [--short] [--seed n]`.
import { parseArgs } from "node:util";
import { describeResult } from "../faults/results";
import { runRow } from "../faults/run-row";
import { localNodes } from "./local-nodes";
import { stopNodes } from "./stop-nodes";

const { values } = parseArgs({
  options: { short: { type: "boolean", default: false }, seed: { type: "string" } },
});

async function runFaults(citusUrl: string): Promise<boolean> {
  if (!(await localNodes(citusUrl))) {
    console.log("Skipping the fault run: it stops the nodes, and not all of them are on this machine.");
    return true;
  }
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  console.log(`\n── ${stopNodes.name}: ${stopNodes.fault}; to repeat it: --seed ${seed}`);
  const result = await runRow(stopNodes, { short: values.short, seed, allowMissing: false });
  console.log(describeResult(result));
  return result.outcome === "kept";
}

process.exitCode = (await runFaults(process.env.CITUS_URL!)) ? 0 : 1;
