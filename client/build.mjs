// `npm run build:client`: makes client/dist. Deletes the old build first.
// With `--command-line FILE`, it only bundles the command line, into that file.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** With everything that it imports, so that the package has no dependencies. Their licenses are beside it. */
async function bundleCommandLine(outfile) {
  const { metafile } = await build({
    metafile: true,
    entryPoints: [at("cli/main.ts")],
    absWorkingDir: at(".."),
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    // jsonc-parser's other form cannot be bundled.
    mainFields: ["module", "main"],
    target: "node20",
    tsconfig: at("../tsconfig.json"),
    legalComments: "none",
    logLevel: "error",
    // `require` for Commander, a CommonJS module.
    banner: {
      js: `#!/usr/bin/env node
import { createRequire as requireFrom } from "node:module";
const require = requireFrom(import.meta.url);`,
    },
  });
  const folders = Object.keys(metafile.inputs).map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0],
  );
  const texts = [...new Set(folders.filter(Boolean))].sort().map((path) => {
    const folder = at(`../${path}`);
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(`${folder}/${file}`, "utf8") : ""}`;
  });
  writeFileSync(`${outfile}.licenses.txt`, texts.join("\n\n"));
}

const [flag, outfile] = process.argv.slice(2);
if (flag === "--command-line") await bundleCommandLine(outfile);
else {
  rmSync(at("dist"), { recursive: true, force: true });
  await build({
    entryPoints: [at("src/index.ts")],
    outfile: at("dist/index.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    tsconfig: at("../tsconfig.json"),
    logLevel: "error",
  });
  const { status } = spawnSync(
    process.execPath,
    [at("../node_modules/typescript/bin/tsc"), "-p", at("tsconfig.json")],
    { stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
  // The types name nothing of `terms`, which is in the bundle.
  cpSync(at("dist/types/client/src"), at("dist"), { recursive: true });
  rmSync(at("dist/types"), { recursive: true });
  if (status === 0) await bundleCommandLine(at("dist/cli/point-batches.mjs"));
}
