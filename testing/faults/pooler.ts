import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import type { FaultRow } from "./fault-row";

const LEAST_TESTS = 80;
const FULL = ["server/ledger", "server/finalizer", "server/batches", "testing/model.test.ts"];
const SHORT = [
  "server/ledger/settle",
  "server/batches/submit",
  "server/batches/cancel",
  "server/finalizer/answer",
];

/** Runs the database tests through PgBouncer in transaction mode, which has no prepared statements. */
export const pooler: FaultRow = {
  name: "pooler",
  fault: "PgBouncer in transaction mode in front of Postgres",
  promise: "the database, race and model tests of batches, ledger and finalizer pass through it",
  secondsMax: { full: 900, short: 120 },
  tool: { program: "pgbouncer", package: "pgbouncer" },
  async run(run) {
    const words = ["node_modules/vitest/vitest.mjs", "run", "--project", "db", ...(run.short ? SHORT : FULL)];
    const env = { ...process.env, DATABASE_POOLER: "transaction", FORCE_COLOR: "0" };
    const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe"] });
    run.cleanup.add(() => child.kill("SIGTERM"));
    run.tally.injected++;
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    const text = stripVTControlCharacters(output);
    const passed = Number(/Tests\s.*?(\d+) passed/.exec(text)?.[1] ?? 0);
    run.tally.notes.push(`${passed} tests passed through the pooler`);
    run.tally.expect(passed >= (run.short ? 1 : LEAST_TESTS), `only ${passed} tests passed`);
    if (code === 0) return;
    for (const [line] of text.matchAll(/^\s*FAIL .*$/gm)) run.tally.violate(line.trim());
    run.tally.expect(false, `the tests exited with ${code}`);
  },
};
