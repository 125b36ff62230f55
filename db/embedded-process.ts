import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { errorCode } from "./embedded-errors";

/** Whether a process is running. Zombies do not count. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") {
    const stat = linuxStat(pid);
    return stat !== null && stat.state !== "Z" && stat.state !== "X";
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether a pid belongs to a running Postgres. After a reboot or in a container it may be another process. */
export function isPostgres(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false;
  if (process.platform === "linux") return linuxStat(pid)?.name === "postgres";
  if (process.platform === "win32") {
    return (
      spawnSync("tasklist", ["/fi", `PID eq ${pid}`], { encoding: "utf8" }).stdout?.includes(
        "postgres.exe",
      ) ?? true
    );
  }
  return spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).stdout.includes(
    "postgres",
  );
}

/** Whether a pid belongs to a Postgres on this folder. Only Linux shows the folder. Elsewhere any Postgres counts. */
export function servesFolder(pid: number, clusterDir: string): boolean {
  if (!isPostgres(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    const [cwd, folder] = [fs.statSync(`/proc/${pid}/cwd`), fs.statSync(clusterDir)];
    return cwd.ino === folder.ino && cwd.dev === folder.dev;
  } catch {
    return true;
  }
}

/** Kills a server immediately. On Linux also its sessions, which otherwise end only after their statement. */
export function killServer(pid: number): void {
  const children = childrenOf(pid);
  for (const each of [pid, ...children]) {
    try {
      process.kill(each, "SIGKILL");
    } catch (error) {
      if (errorCode(error) !== "ESRCH") throw error;
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return fs
      .readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function linuxStat(pid: number): { name: string; state: string } | null {
  try {
    const match = /^\d+ \((.*)\) (\S)/s.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
    return match ? { name: match[1]!, state: match[2]! } : null;
  } catch {
    return null;
  }
}
