// `npm run build:client`: makes client/dist with the project's own compiler. Deletes the old build first, so that no stale file is published.
// With `--command-line FILE`, it only bundles the command line, into that file.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** With everything that it imports, so that the package has no dependencies. */
const bundleCommandLine = (outfile) =>
  build({
    entryPoints: [at("cli/main.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfig: at("../tsconfig.json"),
    legalComments: "none",
    logLevel: "error",
    // `require` for Commander, a CommonJS module.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as requireFrom } from "node:module";\nconst require = requireFrom(import.meta.url);',
    },
  });

const [flag, outfile] = process.argv.slice(2);
if (flag === "--command-line") await bundleCommandLine(outfile);
else {
  rmSync(at("dist"), { recursive: true, force: true });
  const { status } = spawnSync(
    process.execPath,
    [at("../node_modules/typescript/bin/tsc"), "-p", at("tsconfig.json")],
    { stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
  if (status === 0) await bundleCommandLine(at("dist/cli/point-batches.mjs"));
}
