import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { GROUPS } from "./groups.mjs";

const { tests } = GROUPS[process.env.MUTANTS ?? "amounts"];
const needsPostgres = tests.some((path) => /\.(?:db|race)\.test\.ts$/.test(path));
const root = fileURLToPath(new URL("../../", import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: { "@": root.replace(/[\\/]$/, "") } },
  test: {
    environment: "node",
    include: tests,
    exclude: configDefaults.exclude,
    globalSetup: needsPostgres ? ["testing/global-setup.ts"] : [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
