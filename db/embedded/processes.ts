import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { errorCode } from "./errors";

/** The command line of a running process. Empty once it has ended, even unnoticed by its parent. */
function commandOf(pid: number): string {
  if (process.platform === "linux") {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  }
  const [command, ...words] =
    process.platform === "win32"
      ? ["powershell", "-NoProfile", `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`]
      : ["ps", "-ww", "-o", "command=", "-p", String(pid)];
  return spawnSync(command!, words, { encoding: "utf8" }).stdout ?? "";
}

/** Whether a process is running. Zombies do not count on Linux. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return commandOf(pid) !== "";
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Shows in the server's command line which folder is its own, since `-D` may not (`ownName`). */
export const FOLDER_SETTING = "app.folder";

/** Whether a process serves this folder, by its command line: a pid file outlives a killed server. */
export function servesFolder(pid: number, clusterDir: string): boolean {
  const command = commandOf(pid);
  return [`${FOLDER_SETTING}=`, "-D "].some((before) => command.includes(before + clusterDir));
}
