// `npm run mutants [-- <group> …]`: each group in turn, then a table of all; a group below LEAST_PERCENT fails.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { GROUPS } from "./groups.mjs";

const LEAST_PERCENT = 85;
const STRYKER = ["testing/node_modules/@stryker-mutator/core/bin/stryker.js", "run"];
const given = process.argv.slice(2);
const groups = given.length > 0 ? given : Object.keys(GROUPS);
const rows = [];
for (const group of groups) {
  runTool(group, [...STRYKER, "testing/mutants/stryker.config.mjs"]);
  rows.push(...rowsOf(group, "code", `test-results/mutants-${group}.json`));
  if (!GROUPS[group].statements) continue;
  runTool(group, ["testing/mutants/statements.mjs"]);
  rows.push(...rowsOf(group, "SQL", `test-results/mutants-${group}-sql.json`));
}

function runTool(group, words) {
  const env = { ...process.env, MUTANTS: group };
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}

/** A mutant that no test reaches counts as one that survived; one that is no valid code or statement is not counted. */
function rowsOf(group, kind, results) {
  const { files } = JSON.parse(readFileSync(results, "utf8"));
  return Object.entries(files).map(([file, { mutants }]) => {
    const count = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
    const [killed, timedOut] = [count("Killed", "Timeout"), count("Timeout")];
    return { group, kind, file, mutants: killed + count("Survived", "NoCoverage"), killed, timedOut };
  });
}

console.log("\n| group | of | file | mutants | killed | of these timed out | % |");
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const group of groups) {
  const own = rows.filter((row) => row.group === group);
  const sum = (key) => own.reduce((total, row) => total + row[key], 0);
  const all = { mutants: sum("mutants"), killed: sum("killed"), timedOut: sum("timedOut") };
  for (const row of [...own, { group, kind: "**all**", file: "**all**", ...all }]) {
    const { kind, file, mutants, killed, timedOut } = row;
    const percent = mutants === 0 ? 100 : (killed / mutants) * 100;
    const cells = [group, kind, file, mutants, killed, timedOut, percent.toFixed(1)];
    console.log(`| ${cells.join(" | ")} |`);
    if (file === "**all**" && percent < LEAST_PERCENT) process.exitCode = 1;
  }
}
