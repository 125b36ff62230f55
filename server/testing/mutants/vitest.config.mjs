import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { GROUPS } from "./groups.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: { "@": root.replace(/[\\/]$/, "") } },
  test: {
    environment: "node",
    include: GROUPS[process.env.MUTANTS ?? "amounts"].tests,
    exclude: configDefaults.exclude,
    globalSetup: ["server/testing/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
