// `npm run test:cluster [-- cluster|pooled …] [-- vitest arguments]`: the contract tests on several instances of the built app.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const leftOut = JSON.parse(readFileSync(new URL("left-out.json", import.meta.url), "utf8"));

const SHAPES = {
  cluster: { words: "two instances behind nginx and a third finalizer, on one Postgres", tools: ["nginx"] },
  pooled: {
    words: "the same, with PgBouncer in transaction mode in front of Postgres",
    tools: ["nginx", "pgbouncer"],
  },
};

const given = process.argv.slice(2);
const asked = Object.keys(SHAPES).filter((shape) => given.includes(shape));
const more = given.filter((word) => !asked.includes(word));
// Debian installs servers in a folder that is only in root's PATH.
process.env.PATH += ":/usr/sbin";

function run(shape) {
  const { words, tools } = SHAPES[shape];
  console.log(`\n── ${shape}: ${words}`);
  const missing = tools.filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(", ")}. Run: sudo apt-get install nginx-light pgbouncer`);
    return 1;
  }
  const names = Object.keys(leftOut.tests).join("|");
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "contract", "--maxWorkers", "2"];
  const result = spawnSync(process.execPath, [...vitest, "-t", `^(?!.*(?:${names}))`, ...more], {
    stdio: "inherit",
    env: { ...process.env, TEST_SHAPE: shape },
  });
  return result.status ?? 1;
}

const failed = (asked.length > 0 ? asked : Object.keys(SHAPES)).filter((shape) => run(shape) !== 0);
console.log("\nSkipped:");
for (const kind of ["files", "tests", "requests"])
  for (const [name, why] of Object.entries(leftOut[kind])) console.log(`  ${name}: ${why}`);
console.log(failed.length === 0 ? "\nEvery shape passed." : `\nFailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
