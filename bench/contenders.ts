import { fork } from "node:child_process";
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

/** Folders: for each service's CPU profile; of another built version of the app, in the expert's place. */
const { BENCH_PROFILE: profileFolder, BENCH_OTHER: otherFolder } = process.env;
export const peer = otherFolder ? "other" : "expert";
/** The same as `npm start`; the peer gets it too. */
export const NODE_ARGUMENTS = ["--max-semi-space-size=64"];
if (profileFolder) NODE_ARGUMENTS.push("--cpu-prof", `--cpu-prof-dir=${profileFolder}`);

/** The built app. Requests are counted as usual, with the limit out of reach. */
export async function startApp(
  world: World,
  databaseUrl: string,
  { folder, environment }: { folder?: string; environment?: Record<string, string> } = {},
): Promise<Contender> {
  const app = await launchBuiltApp({
    folder,
    nodeArguments: NODE_ARGUMENTS,
    environment: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: "auth-secret-of-this-bench-run",
      RATE_LIMIT_PER_MINUTE: "1000000",
      SELF_CHECK_EVERY_HOURS: "0",
      FINALIZER: "off",
      ...environment,
    },
  });
  const contender = pausing(world, app, () => app.stop());
  await app.ready();
  contender.pause();
  return contender;
}

/** The other version, or the expert's service, which reports its URL in a message. */
export async function startPeer(world: World, databaseUrl: string): Promise<Contender> {
  if (otherFolder) return startApp(world, databaseUrl, { folder: otherFolder });
  const env = { ...process.env, NODE_ENV: "production" as const, DATABASE_URL: databaseUrl };
  const child = fork("bench/peers/expert.mjs", { execArgv: NODE_ARGUMENTS, env });
  // Ends with an exit code in place of the message if it cannot start.
  const [said] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (!said?.url) throw new Error(`the peer exited with ${said}`);
  const contender = pausing(world, { url: said.url, pid: child.pid! }, () => stopProcess(child, "SIGTERM"));
  contender.pause();
  return contender;
}

function pausing(world: World, { url, pid }: { url: string; pid: number }, stop: () => unknown): Contender {
  const resume = async () => {
    process.kill(pid, "SIGCONT");
    // After a pause, a process first handles all timeouts that expired meanwhile.
    await sleep(250);
  };
  world.atEnd(async () => {
    // It may have ended while starting.
    await resume().catch(() => undefined);
    await stop();
  });
  return { url, pid, pause: () => void process.kill(pid, "SIGSTOP"), resume };
}
