import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Whether a program is there, or could be installed from Debian's packages. */
export function haveTool(tool: { program: string; package: string }): boolean {
  const isThere = () => spawnSync("sh", ["-c", `command -v ${tool.program}`]).status === 0;
  return isThere() || (installFromDebian(tool.package) && isThere());
}

function installFromDebian(name: string): boolean {
  if (!existsSync("/usr/bin/apt-get")) return false;
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const apt = (...words: string[]) => {
    const [command = "", ...rest] = [...sudo, "apt-get", ...words];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    return spawnSync(command, rest, { stdio: "ignore", env, timeout: 120_000 }).status;
  };
  apt("update", "-qq");
  return apt("install", "-y", "-qq", name) === 0;
}
