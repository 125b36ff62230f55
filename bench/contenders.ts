import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { launchBuiltApp, stopProcess } from "@/testing/launch-app";
import type { World } from "./world";

/** A measured service. It is paused while others are measured, so that its timers use no CPU. */
export interface Contender {
  url: string;
  pid: number;
  pause(): void;
  resume(): Promise<void>;
}

interface AppOptions {
  databaseUrl: string;
  door?: "host" | "next";
  environment?: Record<string, string>;
}

/** The folder for each app's CPU profile, for Chromium's developer tools. */
const profileFolder = process.env.BENCH_PROFILE;

/** The same as `npm start`; the peers get it too. */
const V8_FLAGS = ["--max-semi-space-size=64"];

/** The built app on a benchmark database. Requests are counted as usual, with the limit out of reach. */
export async function startApp(
  world: World,
  { databaseUrl, door = "host", environment }: AppOptions,
): Promise<Contender> {
  const app = await launchBuiltApp({
    door,
    nodeArguments: [...V8_FLAGS, ...(profileFolder ? ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`] : [])],
    environment: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: "auth-secret-of-this-bench-run",
      RATE_LIMIT_PER_MINUTE: "1000000",
      SELF_CHECK_EVERY_HOURS: "0",
      FINALIZER: "off",
      ...environment,
    },
  });
  const contender = { url: app.url, ...pausing(app.pid) };
  world.atEnd(async () => {
    // It may have ended while starting.
    await contender.resume().catch(() => undefined);
    await app.stop();
  });
  await app.ready();
  return contender;
}

/** The expert's service, which reports its URL in a message. */
export async function startExpert(world: World, databaseUrl: string): Promise<Contender> {
  const child = fork("bench/peers/expert/server.mjs", {
    execArgv: V8_FLAGS,
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: databaseUrl },
  });
  stopAtEnd(world, child);
  const [{ url }] = (await Promise.race([once(child, "message"), endedEarly(child)])) as [{ url: string }];
  return { url, ...pausing(child.pid!) };
}

export function stopAtEnd(world: World, child: ChildProcess): void {
  world.atEnd(() => {
    child.kill("SIGCONT");
    return stopProcess(child, "SIGTERM");
  });
}

async function endedEarly(child: ChildProcess): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`the peer exited with ${code}`);
}

/** After a pause, a process first handles all timeouts that expired meanwhile. */
const SETTLE_MS = 250;

export function pausing(pid: number) {
  return {
    pid,
    pause: () => void process.kill(pid, "SIGSTOP"),
    async resume() {
      process.kill(pid, "SIGCONT");
      await sleep(SETTLE_MS);
    },
  };
}
