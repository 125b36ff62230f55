// `npm run mutants [-- <group> …]`: each group in turn, then a table of all; a group below LEAST_PERCENT fails.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { GROUPS } from "./groups.mjs";

const LEAST_PERCENT = 85;
const given = process.argv.slice(2);
const groups = given.length > 0 ? given : Object.keys(GROUPS);
const rows = [];
for (const group of groups) {
  const words = [
    "node_modules/@stryker-mutator/core/bin/stryker.js",
    "run",
    "server/testing/mutants/stryker.config.mjs",
  ];
  const { status } = spawnSync(process.execPath, words, {
    stdio: "inherit",
    env: { ...process.env, MUTANTS: group },
  });
  if (status !== 0) process.exit(status ?? 1);
  const { files } = JSON.parse(readFileSync(`test-results/mutants-${group}.json`, "utf8"));
  for (const [file, { mutants }] of Object.entries(files)) {
    const count = (...states) => mutants.filter((mutant) => states.includes(mutant.status)).length;
    const killed = count("Killed", "Timeout");
    rows.push({ group, file, mutants: killed + count("Survived", "NoCoverage"), killed });
  }
}

const percent = ({ killed, mutants }) => (mutants === 0 ? 100 : (killed / mutants) * 100);
const total = (of) => ({
  mutants: of.reduce((sum, row) => sum + row.mutants, 0),
  killed: of.reduce((sum, row) => sum + row.killed, 0),
});
console.log("\n| group | file | mutants | killed | % |\n| --- | --- | --- | --- | --- |");
for (const group of groups) {
  const own = rows.filter((row) => row.group === group);
  for (const row of [...own, { group, file: "**all**", ...total(own) }])
    console.log(`| ${group} | ${row.file} | ${row.mutants} | ${row.killed} | ${percent(row).toFixed(1)} |`);
  if (percent(total(own)) < LEAST_PERCENT) process.exitCode = 1;
}
