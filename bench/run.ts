import { parseArgs } from "node:util";
import { benchCitus } from "./citus";
import { benchCsvCheck } from "./csv-check";
import { keepPart, regressionsOf } from "./figures";
import { installPeers } from "./install-peers";
import { answerLoadPlan, LOAD_WORD } from "./load/load-process";
import { loadNow } from "./machine";
import { benchBulk } from "./parts/bulk";
import { benchConsolePage } from "./parts/console-page";
import { benchDisk } from "./parts/disk";
import { benchGrowth } from "./parts/growth";
import { benchMemory } from "./parts/memory";
import { benchSettle } from "./parts/settle";
import { benchStart } from "./parts/start";
import { benchSubmit } from "./parts/submit";
import type { BenchOptions, Part } from "./report";
import { benchSelfCheck } from "./self-check";
import { benchSizes } from "./sizes";
import { benchValidation } from "./validation";
import { benchWaves } from "./waves/waves";
import { writeBenchmarks } from "./write-report";

/** Parts that measure the running service. `list` and `get` are rows of `growth`. */
const PARTS: Record<string, Part> = {
  submit: benchSubmit,
  list: (options) => benchGrowth(narrowed(options, "list")),
  get: (options) => benchGrowth(narrowed(options, "get one")),
  growth: benchGrowth,
  settle: benchSettle,
  disk: benchDisk,
  console: benchConsolePage,
  bulk: benchBulk,
  start: benchStart,
  memory: benchMemory,
};
/** Parts that do not write to docs/benchmarks.md. */
const SMALL_PARTS: Record<string, () => Promise<void>> = {
  validation: benchValidation,
  csv: benchCsvCheck,
  sizes: benchSizes,
  "self-check": benchSelfCheck,
  waves: benchWaves,
  citus: benchCitus,
};
/** The default parts. `list` and `get` are in `growth`. */
const ALL = ["validation", "csv", "submit", "growth", "settle", "disk", "console", "bulk", "start", "memory"];

const narrowed = (options: BenchOptions, prefix: string): BenchOptions => ({
  ...options,
  wants: (row) => row.startsWith(prefix) && options.wants(row),
});

/**
 * `npm run bench [-- part …] [--rounds 5] [--seconds 3] [--batches 1000000] [--minutes 5] [--without peer] [--only text]`.
 * Exits with 1 if a figure is more than a fifth worse than the committed one. `--only` and `--dry` write nothing.
 */
async function runBench(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      batches: { type: "string", default: "1000000" },
      minutes: { type: "string", default: "5" },
      without: { type: "string", multiple: true, default: [] },
      only: { type: "string" },
      dry: { type: "boolean", default: false },
    },
  });
  const names = positionals.length > 0 ? positionals : ALL;
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name) && !Object.hasOwn(SMALL_PARTS, name));
  if (unknown)
    throw new Error(
      `Unknown part ${unknown}. Parts: ${Object.keys({ ...PARTS, ...SMALL_PARTS }).join(", ")}.`,
    );
  const options: BenchOptions = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    batchesMax: Number(values.batches),
    minutes: Number(values.minutes),
    without: new Set(values.without),
    wants: (row) => row.includes(values.only ?? ""),
  };
  installPeers();
  const falls: string[] = [];
  for (const name of names) {
    if (SMALL_PARTS[name]) await SMALL_PARTS[name]();
    else falls.push(...(await runPart(name, options, values.dry || values.only !== undefined)));
  }
  for (const fall of falls) console.error(`WORSE by more than a fifth: ${fall}`);
  if (falls.length > 0) process.exitCode = 1;
}

async function runPart(name: string, options: BenchOptions, isDry: boolean): Promise<string[]> {
  console.log(`\n── ${name}`);
  const loadBefore = loadNow();
  const report = await PARTS[name]!(options);
  console.log(`\n${report.text}`);
  if (!isDry) writeBenchmarks(keepPart(name, report, options.rounds, loadBefore));
  return regressionsOf(name, report);
}

if (process.argv[2] === LOAD_WORD) answerLoadPlan();
else
  await runBench().catch((error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exitCode = 1;
  });
