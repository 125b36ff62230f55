import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchClaims } from "./claims";
import { benchList } from "./list";
import { answerLoadPlan, LOAD_WORD } from "./load";
import { benchSettle } from "./settle";
import { benchSizes } from "./sizes";
import { benchSubmit } from "./submit";
import { answerTree, TREE_WORD } from "./tree";
import { withWorld } from "./world";

const PARTS = {
  submit: benchSubmit,
  list: benchList,
  settle: benchSettle,
  claims: benchClaims,
  sizes: benchSizes,
};
type Part = keyof typeof PARTS;

/** Measures the service next to its peers and at its sizes, and writes the tables of the docs. */
async function bench(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "6" },
      seconds: { type: "string", default: "3" },
      sizes: { type: "string", default: "1000,1000000" },
      without: { type: "string", multiple: true, default: [] },
      only: { type: "string", default: "" },
      /** Databases of `sizes` stay in it, since filling them takes minutes. */
      folder: { type: "string", default: "" },
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
  for (const name of (positionals.length > 0 ? positionals : Object.keys(PARTS)) as Part[]) {
    if (name !== "sizes") installPeers();
    console.log(`\n── ${name}`);
    const text = await withWorld((world) => PARTS[name](options, world), values.folder);
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
  const file = name === "sizes" ? "docs/scale.md" : "docs/benchmarks.md";
  const page = readFileSync(file, "utf8");
  const marked = new RegExp(`(<!-- npm run bench -- ${name} -->\n)[^]*?(\n<!-- end -->)`);
  if (!marked.test(page)) throw new Error(`${file} has no marks for ${name}.`);
  writeFileSync(file, page.replace(marked, `$1${text.replaceAll(/ \([\d.]+ \+ [\d.]+ ms\)/g, "")}$2`));
}

/** What the program does as a process of its own benchmark. */
const PROCESSES: Record<string, () => Promise<void>> = {
  [LOAD_WORD]: answerLoadPlan,
  [TREE_WORD]: answerTree,
};
await (PROCESSES[process.argv[2] ?? ""] ?? bench)();
