// `CITUS_URL=postgres://… npm run test:citus [-- vitest arguments]`: the database, race, model and contract tests on Citus.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const leftOut = JSON.parse(readFileSync(new URL("left-out.json", import.meta.url), "utf8"));
const given = process.argv.slice(2);

if (!process.env.CITUS_URL) {
  console.error(
    "CITUS_URL is not set. `npm run citus` starts a cluster if Postgres has the Citus extension.",
  );
  process.exit(1);
}

const node = (...words) => spawnSync(process.execPath, words, { stdio: "inherit" }).status === 0;

function runTests() {
  const names = Object.keys(leftOut.tests).join("|");
  const filter = names ? ["-t", `^(?!.*(?:${names}))`] : [];
  const projects = ["--project", "db", "--project", "deep-db", "--project", "contract"];
  const passed = node("node_modules/vitest/vitest.mjs", "run", ...projects, ...filter, ...given);
  console.log("\nSkipped:");
  for (const kind of ["files", "tests"])
    for (const [name, why] of Object.entries(leftOut[kind])) console.log(`  ${name}: ${why}`);
  return passed;
}

process.exitCode = runTests() ? 0 : 1;
