// `CITUS_URL=postgres://… npm run test:citus [-- words for vitest]`: the database, race, model and contract tests on a Citus cluster.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const leftOut = JSON.parse(readFileSync(new URL("left-out.json", import.meta.url), "utf8"));

if (!process.env.CITUS_URL) {
  console.error(
    "CITUS_URL names no coordinator. `npm run citus` starts one where Postgres has the Citus extension.",
  );
  process.exit(1);
}

const names = Object.keys(leftOut.tests).join("|");
const words = ["run", "--project", "db", "--project", "contract"];
if (names) words.push("-t", `^(?!.*(?:${names}))`);
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", ...words, ...process.argv.slice(2)],
  {
    stdio: "inherit",
  },
);

console.log("\nLeft out:");
for (const kind of ["files", "tests"])
  for (const [name, why] of Object.entries(leftOut[kind])) console.log(`  ${name}: ${why}`);
process.exitCode = status ?? 1;
