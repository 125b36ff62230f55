import { existsSync } from "node:fs";

const NODE_LEAST = [20, 9];

/** Exits with one clear line when the service cannot run on this machine. */
export async function checkMachine() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])) {
    refuse(`Node ${NODE_LEAST.join(".")} or newer is required. This is Node ${process.versions.node}.`);
  }
  if (!["next", "postgres", "diff"].every((name) => existsSync(`node_modules/${name}`))) {
    refuse("The dependencies are not installed. Run `npm install`.");
  }
  // On install, npm patches the driver, unless its scripts are switched off.
  const { applyPatches } = await import("../../patches/apply.mjs");
  const [left] = applyPatches();
  if (left) refuse(`${left} is not patched. Run \`node patches/apply.mjs\` as the owner of node_modules.`);
}

export function refuse(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
