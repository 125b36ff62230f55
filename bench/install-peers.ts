import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const FOLDER = "bench/peers";

/** Installs the peers in their own folder, at the exact versions of its package.json. */
export function installPeers(folder = FOLDER): void {
  const { dependencies } = readPackage(folder) as { dependencies: Record<string, string> };
  const isInstalled = ([name, version]: [string, string]) =>
    existsSync(`${folder}/node_modules/${name}/package.json`) &&
    readPackage(`${folder}/node_modules/${name}`).version === version;
  if (Object.entries(dependencies).every(isInstalled)) return;
  console.log(`Installing ${folder} …`);
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${folder} could not be installed:\n${stderr}`);
}

const readPackage = (folder: string) =>
  JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Record<string, unknown>;
