import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const NODE_LEAST = [20, 9];

/** Exits with one clear line when the service cannot run on this machine. */
export function checkMachine() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])) {
    refuse(`Node ${NODE_LEAST.join(".")} or newer is required. This is Node ${process.versions.node}.`);
  }
  if (!existsSync("node_modules/next") || !existsSync("node_modules/postgres")) {
    refuse("The dependencies are not installed. Run `npm install`.");
  }
  applyPatches();
}

/** npm's install scripts patch the driver. They can be switched off, so this patches it if needed. */
function applyPatches() {
  if (unpatchedFiles().length === 0) return;
  spawnSync(process.execPath, ["node_modules/patch-package/index.js"], { encoding: "utf8" });
  const left = unpatchedFiles();
  if (left.length > 0)
    refuse(`${left[0]} is not patched. Run \`npx patch-package\` as the owner of node_modules.`);
}

function unpatchedFiles() {
  if (!existsSync("patches")) return [];
  const patches = readdirSync("patches").filter((file) => file.endsWith(".patch"));
  return patches.flatMap((patch) =>
    readFileSync(`patches/${patch}`, "utf8")
      .split(/^diff --git .*$/m)
      .filter((part) => !holdsAdditions(part))
      .map(targetOf),
  );
}

const targetOf = (part) => /^\+\+\+ b\/(.+)$/m.exec(part)?.[1]?.trim() ?? "";

/** Whether the target contains every block of added lines. */
function holdsAdditions(part) {
  const target = targetOf(part);
  if (!target) return true;
  if (!existsSync(target)) return false;
  const text = readFileSync(target, "utf8");
  const runs = part.slice(part.indexOf("\n@@")).match(/(?:^\+.*\n?)+/gm) ?? [];
  return runs.every((run) => text.includes(run.replace(/^\+/gm, "").trimEnd()));
}

export function refuse(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
