import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The tests that a mutant must get past: everything beside the mutated code that needs no built app. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root.replace(/[\\/]$/, "") } },
  test: {
    environment: "node",
    include: [
      "server/{ledger,batches,auth,operators,finalizer}/*.test.ts",
      "server/rest/{bad-input,odd-input,protocol}.db.test.ts",
      "server/trpc/*.test.ts",
    ],
    exclude: [...configDefaults.exclude, "**/*.{race,contract,specmatic}.test.ts", "**/*plans.db.test.ts"],
    globalSetup: ["server/testing/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
