import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const INSTALL_MS_MAX = 300_000;

export const isDebian = () => existsSync("/usr/bin/apt-get");

/**
 * Whether a program is there, installed from Debian's packages if this runs as root there.
 * @param {{ program: string, package: string, words?: string[] }} tool `words` make it exit with 0 immediately
 */
export function haveTool({ program, package: name, words = ["--version"] }) {
  const isThere = () => spawnSync(program, words).status === 0;
  if (isThere()) return true;
  if (!isDebian() || process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...given) =>
    spawnSync("apt-get", given, { stdio: "ignore", env, timeout: INSTALL_MS_MAX }).status === 0;
  apt("update", "-qq");
  return apt("install", "-y", "-qq", name) && isThere();
}
