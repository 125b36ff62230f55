import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchClaims } from "./claims";
import { benchIndexes } from "./indexes";
import { benchList } from "./list";
import { answerLoadPlan, LOAD_WORD } from "./load";
import { benchSettle } from "./settle";
import { benchSubmit } from "./submit";
import { answerTree, TREE_WORD } from "./tree";
import { withWorld } from "./world";

const PARTS = {
  submit: benchSubmit,
  list: benchList,
  settle: benchSettle,
  indexes: benchIndexes,
  claims: benchClaims,
};
type Part = keyof typeof PARTS;
const FILE = "docs/benchmarks.md";

/** Measures the service next to its peers, and writes the tables of docs/benchmarks.md. */
async function bench(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      sizes: { type: "string", default: "1000,1000000" },
      without: { type: "string", multiple: true, default: [] },
      only: { type: "string", default: "" },
      dry: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown) throw new Error(`There is no part "${unknown}", only ${Object.keys(PARTS).join(", ")}.`);
  const options = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    sizes: values.sizes.split(",").map(Number),
    without: new Set(values.without),
    wants: (row: string) => row.includes(values.only),
  };
  installPeers();
  for (const name of (positionals.length > 0 ? positionals : Object.keys(PARTS)) as Part[]) {
    console.log(`\n── ${name}`);
    const text = await withWorld((world) => PARTS[name](options, world));
    console.log(`\n${text}`);
    if (!values.dry && values.only === "") writeTable(name, text);
  }
}

/** Installs the peers in their own folder, at the exact versions of its package.json. */
function installPeers(): void {
  if (existsSync("bench/peers/node_modules/fastify")) return;
  const words = ["install", "--no-audit", "--no-fund", "--no-package-lock"];
  const shell = process.platform === "win32";
  const { status } = spawnSync("npm", words, { cwd: "bench/peers", stdio: "inherit", shell });
  if (status !== 0) throw new Error("bench/peers could not be installed.");
}

/** Replaces a part's table, without CPU times, and keeps the hand-written text around it. */
function writeTable(name: Part, text: string): void {
  const page = readFileSync(FILE, "utf8");
  const marked = new RegExp(`(<!-- npm run bench -- ${name} -->\n)[^]*?(\n<!-- end -->)`);
  if (!marked.test(page)) throw new Error(`${FILE} has no marks for ${name}.`);
  writeFileSync(FILE, page.replace(marked, `$1${text.replaceAll(/ \([\d.]+ \+ [\d.]+ ms\)/g, "")}$2`));
}

/** What the program does as a process of its own benchmark. */
const PROCESSES: Record<string, () => Promise<void>> = {
  [LOAD_WORD]: answerLoadPlan,
  [TREE_WORD]: answerTree,
};
await (PROCESSES[process.argv[2] ?? ""] ?? bench)();
