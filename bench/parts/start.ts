import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/db/free-port";
import { spreadOf, table, withSpread } from "../measure";
import type { BenchOptions, PartReport } from "../report";

const LOOK_EVERY_MS = 20;
const START_SECONDS_MAX = 120;

/** The time from `npm start` to the first answer, with an empty and with an existing data folder. The build exists in both cases. */
export async function benchStart({ rounds }: BenchOptions): Promise<PartReport> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const dataDir = mkdtempSync(join(tmpdir(), "bench-start-"));
    cold.push(await secondsToAnswer(dataDir));
    warm.push(await secondsToAnswer(dataDir));
    rmSync(dataDir, { recursive: true, force: true });
  }
  const spread = { cold: spreadOf(cold), warm: spreadOf(warm) };
  console.log(`  start, s: cold ${withSpread(spread.cold)}, warm ${withSpread(spread.warm)}`);
  const rows = [
    ["cold: creates Postgres, runs all migrations", withSpread(spread.cold)],
    ["warm", withSpread(spread.warm)],
  ];
  return {
    title: "Start, seconds from `npm start` to the first 200 of `/readyz`, embedded Postgres",
    text: table(["start", "seconds"], rows),
    figures: [
      { key: "start.cold", what: "cold start, seconds", worse: "higher", ...spread.cold },
      {
        key: "start.warm",
        what: "warm start, seconds",
        worse: "higher",
        target: { atMost: 3 },
        ...spread.warm,
      },
    ],
  };
}

async function secondsToAnswer(dataDir: string): Promise<number> {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: String(port), HOST: "127.0.0.1", DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], { env: env as unknown as NodeJS.ProcessEnv, stdio: "ignore" });
  const ended = once(child, "exit");
  try {
    while (performance.now() - startedAt < START_SECONDS_MAX * 1000) {
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      await reply?.text();
      if (reply?.status === 200) return (performance.now() - startedAt) / 1000;
      if (child.exitCode !== null) throw new Error(`npm start exited with ${child.exitCode}`);
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error("the service did not start in time");
  } finally {
    child.kill("SIGTERM");
    await ended;
    await portIsFree(port);
  }
}

/** npm exits before the service has stopped its Postgres. */
async function portIsFree(port: number): Promise<void> {
  while (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null)) await sleep(100);
  await sleep(1500);
}
