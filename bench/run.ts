import { parseArgs } from "node:util";
import { benchCsvCheck } from "./csv-check";
import { answerLoadPlan, LOAD_WORD } from "./load/load-process";
import { benchGrowth } from "./parts/growth";
import { benchSettle } from "./parts/settle";
import { benchSubmit } from "./parts/submit";
import type { Part } from "./report";
import { benchValidation } from "./validation";

const PARTS: Record<string, Part | (() => Promise<void>)> = {
  validation: benchValidation,
  csv: benchCsvCheck,
  submit: benchSubmit,
  growth: benchGrowth,
  settle: benchSettle,
};

if (process.argv[2] === LOAD_WORD) answerLoadPlan();
else await runBench();

async function runBench(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      batches: { type: "string", default: "1000000" },
      only: { type: "string" },
      without: { type: "string", multiple: true, default: [] },
    },
  });
  for (const name of positionals) {
    const report = await PARTS[name]!({
      rounds: +values.rounds,
      seconds: +values.seconds,
      batchesMax: +values.batches,
      without: new Set(values.without),
      wants: (row) => row.includes(values.only ?? ""),
    });
    if (report) console.log(report.text);
  }
}
