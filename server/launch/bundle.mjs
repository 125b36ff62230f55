import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

const SERVER_INPUTS = ["server", "db", "package.json", "package-lock.json", "tsconfig.json"];
export const APP_INPUTS = [
  ...SERVER_INPUTS,
  "app",
  "public",
  "proxy.ts",
  "instrumentation.ts",
  "next.config.mjs",
  "postcss.config.mjs",
];
const NOT_BUILT = /\.test\.tsx?$|^db\/migrations\//;
const STAMP = "// made from ";

/** One hash over the names and contents of all inputs, without tests. */
export function fingerprint(inputs) {
  const hash = createHash("sha256").update(process.versions.node.split(".")[0]);
  for (const file of inputs.flatMap(filesOf).sort()) {
    if (!NOT_BUILT.test(file)) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replaceAll("\\", "/"));
}

/** Bundles a TypeScript entry as `outfile`, unless that is up to date. Prints nothing. */
export async function bundle(entry, outfile, options = {}) {
  const stamp = STAMP + fingerprint(SERVER_INPUTS);
  if (!options.always && firstLine(outfile) === stamp) return;
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: true,
    logLevel: "error",
    banner: { js: stamp },
    plugins: [withoutServerOnly],
  });
  mkdirSync("dist", { recursive: true });
  // The program is written last, because its first line marks both files as complete.
  const ordered = outputFiles.sort(
    (a, b) => Number(b.path.endsWith(".map")) - Number(a.path.endsWith(".map")),
  );
  for (const file of ordered) writeAtomically(join("dist", basename(file.path)), file.contents);
}

/** `server-only` guards client bundles in Next and throws everywhere else. */
const withoutServerOnly = {
  name: "without-server-only",
  setup(build) {
    build.onResolve({ filter: /^server-only$/ }, () => ({ path: "server-only", namespace: "nothing" }));
    build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "" }));
  },
};

/** Replaces a file atomically: readers see either the old or the new one. */
export function writeAtomically(path, contents) {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

function firstLine(path) {
  if (!existsSync(path)) return "";
  const bytes = Buffer.alloc(128);
  const length = readSync(openSync(path), bytes);
  return bytes.toString("utf8", 0, length).split("\n", 1)[0];
}
