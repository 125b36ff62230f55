import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const FOLDER = "bench/peers";

/** Installs the peers into their own folder when they are not there as the lock says; the app never sees them. */
export function installPeers(folder = FOLDER): void {
  const installed = `${folder}/node_modules/.package-lock.json`;
  const wanted = new Map(versionsOf(`${folder}/package-lock.json`));
  if (existsSync(installed) && versionsOf(installed).every(([name, version]) => wanted.get(name) === version))
    return;
  console.log(`Installing ${folder} …`);
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${folder} could not be installed:\n${stderr}`);
}

function versionsOf(lock: string): [string, string][] {
  const { packages } = JSON.parse(readFileSync(lock, "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, { version }]) => [path, version]);
}
