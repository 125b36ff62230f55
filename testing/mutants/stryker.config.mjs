import { GROUPS } from "./groups.mjs";

const group = process.env.MUTANTS ?? "";
if (!Object.hasOwn(GROUPS, group))
  throw new Error(`MUTANTS must be one of ${Object.keys(GROUPS).join(", ")}`);

export default {
  // Stryker would read it with TypeScript 5's compiler API.
  tsconfigFile: "none",
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "testing/mutants/vitest.config.mjs", related: false },
  mutate: GROUPS[group].mutate,
  // All strings: error messages, codes, and SQL, which it could only remove as a whole.
  mutator: { excludedMutations: ["StringLiteral"] },
  ignorePatterns: [".next", "dist", ".data", "docs/screens", "test-results", "client", "bench"],
  reporters: ["progress-append-only", "clear-text", "json"],
  jsonReporter: { fileName: `test-results/mutants-${group}.json` },
  coverageAnalysis: "perTest",
  concurrency: 2,
  dryRunTimeoutMinutes: 20,
  timeoutMS: 30_000,
};
