import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { readPidFile, type ServerHost } from "./embedded-cluster";
import { errorCode } from "./embedded-error";
import { isAlive, orphansOf, servesFolder } from "./embedded-process";
import { program } from "./embedded-programs";

const FAST_MS = 10_000;
const IMMEDIATE_MS = 7000;
const KILLED_MS = 1000;

/** Fast shutdown for 10 s, then immediate shutdown (recovered at the next start), then kill. */
export async function stopServer(host: ServerHost, pid: number): Promise<void> {
  for (const [signal, mode, waitMs] of [
    ["SIGINT", "fast", FAST_MS],
    ["SIGQUIT", "immediate", IMMEDIATE_MS],
    ["SIGKILL", "immediate", KILLED_MS],
  ] as const) {
    if (!servesFolder(pid, host.paths.cluster)) return;
    if (signal !== "SIGINT") host.log(`Postgres ${pid} is still running, sending ${signal}`);
    if (process.platform === "win32") {
      const words = ["stop", "-W", "-m", mode, "-D", host.paths.cluster];
      spawnSync(program(host.nativeDir, "pg_ctl"), words, { stdio: "ignore", windowsHide: true });
    } else {
      send(pid, signal);
    }
    for (const giveUpAt = Date.now() + waitMs; Date.now() < giveUpAt; await sleep(20)) {
      if (!isAlive(pid)) return;
    }
  }
  endOrphans(host);
}

/** Stops processes that a killed postmaster left behind in its folder. Does nothing while a postmaster is alive. */
export function endOrphans(host: ServerHost): void {
  const found = readPidFile(host.paths);
  if (found && servesFolder(found.pid, host.paths.cluster)) return;
  for (const pid of orphansOf(host.paths.cluster)) {
    host.log(`stopping process ${pid}, left over from a killed Postgres`);
    send(pid, "SIGQUIT");
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
