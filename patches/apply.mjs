// Applies the patches of this folder to node_modules: after `npm install`, and before the service starts
// where install scripts are blocked. A file that is already patched stays as it is.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { applyPatch, parsePatch, reversePatch } from "diff";

const ROOT = new URL("..", import.meta.url);
const OPTIONS = { autoConvertLineEndings: false };

/** Returns the files that could not be patched. */
export function applyPatches() {
  const patches = readdirSync(new URL("patches/", ROOT)).filter((file) => file.endsWith(".patch"));
  return patches
    .flatMap((file) => parsePatch(readFileSync(new URL(`patches/${file}`, ROOT), "utf8")))
    .filter((part) => !isPatched(part))
    .map(({ newFileName }) => newFileName.slice("b/".length));
}

function isPatched(part) {
  const file = new URL(part.newFileName.slice("b/".length), ROOT);
  try {
    const text = readFileSync(file, "utf8");
    if (applyPatch(text, reversePatch(part), OPTIONS) !== false) return true;
    const patched = applyPatch(text, part, OPTIONS);
    if (patched === false) return false;
    writeFileSync(file, patched);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const left = applyPatches();
  if (left.length > 0) {
    const remedy = "Delete node_modules/postgres and run `npm install`.";
    process.stderr.write(`${left[0]} could not be patched. ${remedy}\n`);
    process.exitCode = 1;
  }
}
