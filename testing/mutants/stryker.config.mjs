import { GROUPS } from "./groups.mjs";

const group = process.env.MUTANTS ?? "";
if (!Object.hasOwn(GROUPS, group))
  throw new Error(`MUTANTS must be one of ${Object.keys(GROUPS).join(", ")}`);

export default {
  // Stryker would read it with the compiler API of TypeScript 5.
  tsconfigFile: "none",
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "testing/mutants/vitest.config.mjs", related: false },
  mutate: GROUPS[group].mutate,
  // All texts: words of errors, their codes, and statements in SQL, of which no part but the whole could be taken away.
  mutator: { excludedMutations: ["StringLiteral"] },
  ignorePatterns: [".next", "dist", ".data", "docs/screens", "test-results", "client", "bench"],
  reporters: ["progress-append-only", "clear-text", "json"],
  jsonReporter: { fileName: `test-results/mutants-${group}.json` },
  coverageAnalysis: "perTest",
  concurrency: 2,
  dryRunTimeoutMinutes: 20,
  timeoutMS: 30_000,
};
