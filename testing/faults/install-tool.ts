import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Whether a program is there, installed from Debian's packages if this runs as root there. */
export function haveTool(tool: { program: string; package: string }): boolean {
  const isThere = () => spawnSync("sh", ["-c", `command -v ${tool.program}`]).status === 0;
  return isThere() || (installFromDebian(tool.package) && isThere());
}

function installFromDebian(name: string): boolean {
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...words: string[]) =>
    spawnSync("apt-get", words, { stdio: "ignore", env, timeout: 120_000 }).status;
  apt("update", "-qq");
  return apt("install", "-y", "-qq", name) === 0;
}
