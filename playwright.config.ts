import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { ADMIN, BASE_URL, PORT } from "./e2e/people";

/** Debian's: the one without windows takes a fifth less time. Elsewhere Playwright downloads its own. */
const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));
const START_MS_MAX = 120_000;
const dataDir = join(tmpdir(), `point-transfer-batches-e2e-${PORT}`);
process.env.E2E_DATA_DIR = dataDir;

export default defineConfig({
  testDir: "e2e",
  // `npm run test:deep` runs the longer journeys, and those that need more packages.
  testIgnore: process.env.DEEP_TESTS ? [] : "**/*.deep.spec.ts",
  outputDir: "test-results",
  globalSetup: "./e2e/setup.ts",
  fullyParallel: true,
  workers: 2,
  // A journey that passes only the second time has failed. The second time is for its trace, which is slow.
  retries: 1,
  failOnFlakyTests: true,
  // Far more than they take, also on a machine that is busy with something else.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    baseURL: BASE_URL,
    viewport: { width: 1440, height: 900 },
    timezoneId: "Europe/Berlin",
    trace: "on-first-retry",
    launchOptions: {
      ...(CHROMIUM && { executablePath: CHROMIUM }),
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
  webServer: {
    command: "node e2e/serve.mjs",
    url: `${BASE_URL}/readyz`,
    timeout: START_MS_MAX,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    env: {
      NODE_ENV: "production",
      PORT: String(PORT),
      HOST: "127.0.0.1",
      PUBLIC_URL: BASE_URL,
      DATA_DIR: dataDir,
      MINIMUM_FINALIZE_SECONDS: "1",
      WEBHOOK_ALLOW_PRIVATE: "on",
      PUBLIC_RECEIPTS: "on",
      PUBLIC_RATE_LIMIT_PER_MINUTE: "0",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: "warn",
      // The journeys share an address and a person.
      CONSOLE_RATE_LIMIT_PER_MINUTE: "0",
    },
  },
});
