import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What mostly waits, for leases and delays: begun early and one by one, so that others work meanwhile. Also
 * what takes long although its file is short, which would begin last, and leave one processor without work.
 */
const WAITING = /(workers|tracing|embedded)\.deep|retries\.db|answer-cron|other-half|testing\/model/;

class WaitingEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(moduleId);
    const waiting = sorted.filter(waits);
    const working = sorted.filter((file) => !waits(file));
    const lanes = waiting.flatMap((file, index) => [file, ...working.slice(index * 4, index * 4 + 4)]);
    return [...lanes, ...working.slice(waiting.length * 4)];
  }
}

const root = fileURLToPath(new URL(".", import.meta.url));
const DB_TESTS = ["**/*.db.test.ts", "**/*.race.test.ts", "testing/model.test.ts"];
/** Those that take long, or test what changes seldom: `npm run test:deep`. The others run in `npm test`. */
const DEEP_DB_TESTS = [
  "**/*.deep.db.test.ts",
  "testing/{exports.db,model}.test.ts",
  "server/distribution/distribute-tables.db.test.ts",
  "server/batches/other-half.race.test.ts",
  "server/batches/submit/store-together.race.test.ts",
  "server/{allocations/make-allocation,snapshots/take-snapshot}.race.test.ts",
];
/** What claims, finalizes, delivers and sweeps: sent to Citus one shard at a time, in `npm run test:deep`. */
const ROUTED_TESTS = [
  "server/finalizer/{claim-due-batches,finalize-due-batches,delete-expired}.db.test.ts",
  "server/ledger/settle.db.test.ts",
  "server/webhooks/{claim-plan,deliver,outbox}.db.test.ts",
  "server/batches/review/review-new-batches.db.test.ts",
];
const EXCLUDED = [...configDefaults.exclude, "e2e/**", ".next/**", "**/dist/**", ".data/**"];
/** They need a cluster. */
const CITUS_TESTS = ["**/*.citus.db.test.ts"];
/** `npm run test:deep`: tests that take long, or need what `npm install` does not bring. */
const DEEP_TESTS = ["**/*.deep.test.ts", "{client/src/package,server/rest/document}.contract.test.ts"];

const CONTRACT_TESTS = ["**/*.contract.test.ts"];
/** Without a cluster. */
const LEFT_OUT = process.env.CITUS_URL ? [] : CITUS_TESTS;

/**
 * For tests with many sockets and programs: Node may never end a thread that leaves a request open, and with
 * it the whole run, after every test has passed. A process can be killed.
 */
const IN_PROCESSES = { pool: "forks" as const };

const databaseTests = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    ...IN_PROCESSES,
    environment: "node",
    include,
    exclude: [...EXCLUDED, ...LEFT_OUT, ...exclude],
    globalSetup: ["testing/global-setup.ts"],
    setupFiles: ["testing/citus/record-statements.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

export default defineConfig({
  resolve: { alias: { "@": root.replace(/[\\/]$/, "") } },
  test: {
    // The tests often wait, for Postgres and for time to pass: four at a time even on two cores.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Unit tests take a fifth less time in threads than in processes.
    pool: "threads",
    // Files share a worker's modules: database tests take a third less CPU. `fresh-file.ts` resets the rest.
    isolate: false,
    setupFiles: ["testing/fresh-file.ts"],
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: WaitingEarly },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          testTimeout: 120_000,
          environment: "node",
          include: ["**/*.test.ts"],
          exclude: [...EXCLUDED, ...DB_TESTS, ...CONTRACT_TESTS, ...DEEP_TESTS],
        },
      },
      databaseTests("db", DB_TESTS, DEEP_DB_TESTS),
      databaseTests("deep-db", DEEP_DB_TESTS),
      {
        extends: true,
        test: {
          // The same promises, with the statements as they are sent to Citus.
          name: "routed",
          ...IN_PROCESSES,
          environment: "node",
          include: ROUTED_TESTS,
          globalSetup: ["testing/global-setup.ts"],
          setupFiles: ["testing/citus/record-statements.ts"],
          env: { TEST_SHARDS: "pretended" },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "contract",
          ...IN_PROCESSES,
          environment: "node",
          include: CONTRACT_TESTS,
          exclude: [...EXCLUDED, ...LEFT_OUT, ...DEEP_TESTS],
          globalSetup: ["testing/app-template.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "deep",
          ...IN_PROCESSES,
          environment: "node",
          include: DEEP_TESTS,
          exclude: EXCLUDED,
          globalSetup: ["testing/global-setup.ts", "testing/app-template.ts"],
          testTimeout: 240_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
