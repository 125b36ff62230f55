// Changes one group's statements ($MUTANTS) in one place at a time and runs the group's tests, because Stryker ignores SQL.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BaseSequencer, createVitest } from "vitest/node";
import { changesOf } from "./change-statement.mjs";
import { GROUPS } from "./groups.mjs";
import { statementsOf } from "./statements-of.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const group = process.env.MUTANTS ?? "";
/** Postgres rejected the statement itself (class 42), which anyone would notice. */
const INVALID = /"code":"42\w{3}"|SQLSTATE 42|syntax error at or near/;

let changed = { file: "", source: "" };
const plugin = {
  name: "changed-statement",
  enforce: "pre",
  transform: (_code, id) => (id === changed.file ? { code: changed.source, map: null } : undefined),
};
/** Quick tests first, because they catch most changes and the rest is then skipped. */
class AsGiven extends BaseSequencer {
  sort = async (tests) => tests;
}
const vitest = await createVitest(
  "test",
  {
    config: "testing/mutants/vitest.config.mjs",
    watch: false,
    bail: 1,
    maxWorkers: 2,
    silent: true,
    reporters: [{}],
    sequence: { sequencer: AsGiven },
  },
  { plugins: [plugin] },
);
try {
  await vitest.standalone();
  const tests = await vitest.globTestSpecifications();
  const failure = await failureOf(tests);
  if (failure) throw new Error(`The tests of ${group} fail without any change: ${failure}`);
  const modules = vitest.state.getTestModules();
  const took = new Map(modules.map((module) => [module.moduleId, module.diagnostic().duration]));
  tests.sort((one, other) => took.get(one.moduleId) - took.get(other.moduleId));
  const files = {};
  for (const file of GROUPS[group].statements) files[file] = { mutants: await weigh(file, tests) };
  mkdirSync("test-results", { recursive: true });
  writeFileSync(`test-results/mutants-${group}-sql.json`, JSON.stringify({ files }, null, 2));
} finally {
  await vitest.close();
}
// Failing tests set the exit code, although failures are the goal.
process.exit(0);

async function weigh(file, tests) {
  const path = `${root}${file}`;
  const source = readFileSync(path, "utf8");
  const mutants = [];
  for (const { at, end, to } of statementsOf(source).flatMap(changesOf)) {
    changed = { file: path, source: source.slice(0, at) + to + source.slice(end) };
    vitest.invalidateFile(path);
    const startedAt = performance.now();
    const failure = await failureOf(tests);
    const status = !failure ? "Survived" : INVALID.test(failure) ? "Invalid" : "Killed";
    const line = source.slice(0, at).split("\n").length;
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    mutants.push({ status, line, from: source.slice(at, end), to, seconds, by: failure?.slice(0, 300) });
    console.log(
      status,
      `${file}:${line}`,
      JSON.stringify(source.slice(at, end)),
      "→",
      JSON.stringify(to),
      seconds,
    );
  }
  changed = { file: "", source: "" };
  vitest.invalidateFile(path);
  return mutants;
}

/** What failed, or null if every test finished; after a failure the rest is skipped. */
async function failureOf(tests) {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests, true);
  const failed = testModules.flatMap((module) => [...module.children.allTests("failed")]);
  const around = testModules.flatMap((module) => [module, ...module.children.allSuites()]);
  const failures = [
    ...failed.map((test) => `${test.fullName} ${JSON.stringify(test.result().errors)}`),
    ...[...around.flatMap((part) => part.errors()), ...unhandledErrors].map((error) => JSON.stringify(error)),
  ];
  if (failures.length > 0) return failures.join("\n");
  const all = testModules.flatMap((module) => [...module.children.allTests()]);
  return all.length > 0 && all.every((test) => test.result().state === "passed")
    ? null
    : "A test did not finish.";
}
