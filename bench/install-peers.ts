import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const FOLDER = "bench/peers";

/** Installs the peers into their own folder when they are not there as the lock says; the app never sees them. */
export function installPeers(): void {
  const installed = `${FOLDER}/node_modules/.package-lock.json`;
  if (
    existsSync(installed) &&
    versionsOf(installed).every(([name, version]) => wanted().get(name) === version)
  )
    return;
  console.log("Installing the peers of the bench …");
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`The peers could not be installed:\n${stderr}`);
}

const wanted = () => new Map(versionsOf(`${FOLDER}/package-lock.json`));

function versionsOf(lock: string): [string, string][] {
  const { packages } = JSON.parse(readFileSync(lock, "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, { version }]) => [path, version]);
}
