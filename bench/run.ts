import { Argument, Command, InvalidArgumentError } from "commander";
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
import type { BenchOptions, Part, PartReport } from "./report";
import { benchSelfCheck } from "./self-check";
import { benchSizes } from "./sizes";
import { benchValidation } from "./validation";
import { benchWaves } from "./waves/waves";
import { withWorld } from "./world";
import { writeBenchmarks } from "./write-report";

const inWorld = (part: Part) => (options: BenchOptions) => withWorld((world) => part(options, world));

/** Parts that measure the running service. `list` and `get` are rows of `growth`. */
const PARTS: Record<string, (options: BenchOptions) => Promise<PartReport>> = {
  submit: inWorld(benchSubmit),
  list: inWorld((options, world) => benchGrowth(narrowed(options, "list"), world)),
  get: inWorld((options, world) => benchGrowth(narrowed(options, "get one"), world)),
  growth: inWorld(benchGrowth),
  settle: inWorld(benchSettle),
  disk: inWorld(benchDisk),
  console: inWorld(benchConsolePage),
  bulk: inWorld(benchBulk),
  start: benchStart,
  memory: inWorld(benchMemory),
};
/** Parts that do not write to docs/benchmarks.md. */
const SMALL_PARTS: Record<string, () => Promise<void>> = {
  validation: benchValidation,
  csv: benchCsvCheck,
  sizes: benchSizes,
  "self-check": benchSelfCheck,
  waves: benchWaves,
};
/** The default parts. `list` and `get` are in `growth`. */
const ALL = ["validation", "csv", "submit", "growth", "settle", "disk", "console", "bulk", "start", "memory"];

const narrowed = (options: BenchOptions, prefix: string): BenchOptions => ({
  ...options,
  wants: (row) => row.startsWith(prefix) && options.wants(row),
});

const number = (given: string) => {
  const value = Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a whole number above zero.");
};

const bench = new Command("npm run bench --")
  .description(
    "Measures the service next to its peers. Exits with 1 if a figure is more than a fifth worse than the committed one.",
  )
  .addArgument(
    new Argument("[part...]", "what is measured")
      .choices(Object.keys({ ...PARTS, ...SMALL_PARTS }))
      .default(ALL, "those of docs/benchmarks.md"),
  )
  .option("--rounds <count>", "how often each row is measured", number, 5)
  .option("--seconds <count>", "how long one measurement takes", number, 3)
  .option("--batches <count>", "up to how many batches are stored", number, 1_000_000)
  .option("--minutes <count>", "how long memory is watched", number, 5)
  .option(
    "--without <peer>",
    "a peer to leave out; can be repeated",
    (peer, peers) => [...peers, peer],
    [] as string[],
  )
  .option("--only <text>", "only rows whose name has this text; nothing is written")
  .option("--dry", "writes nothing", false)
  .action(runBench);

interface Words {
  rounds: number;
  seconds: number;
  batches: number;
  minutes: number;
  without: string[];
  only?: string;
  dry: boolean;
}

async function runBench(names: string[], words: Words): Promise<void> {
  const options: BenchOptions = {
    rounds: words.rounds,
    seconds: words.seconds,
    batchesMax: words.batches,
    minutes: words.minutes,
    without: new Set(words.without),
    wants: (row) => row.includes(words.only ?? ""),
  };
  installPeers();
  const falls: string[] = [];
  for (const name of names) {
    if (SMALL_PARTS[name]) await SMALL_PARTS[name]();
    else falls.push(...(await runPart(name, options, words.dry || words.only !== undefined)));
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
  await bench.parseAsync().catch((error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exitCode = 1;
  });
