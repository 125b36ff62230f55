import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { acquireLock } from "../../db/named-lock.mjs";

const STAMP_FILE = ".next/made-from";
const MADE = [".next/BUILD_ID", "dist/host.mjs", "dist/ops.mjs"];

/** Builds what is out of date. Only one build runs per folder; concurrent builds wait for it. */
export async function buildApp() {
  if (isFresh()) return;
  mkdirSync("dist", { recursive: true });
  const hold = await acquireLock("build", "dist", () => String(process.pid));
  if ("gone" in hold) {
    console.error(`Waiting for another build in this folder (process ${hold.holder || "unknown"}).`);
    await hold.gone;
    return buildApp();
  }
  try {
    if (!isFresh()) await buildAll();
  } finally {
    await hold.release();
  }
}

function isFresh() {
  return (
    MADE.every((path) => existsSync(path)) &&
    existsSync(STAMP_FILE) &&
    readFileSync(STAMP_FILE, "utf8") === fingerprint(APP_INPUTS)
  );
}

async function buildAll() {
  const startedAt = performance.now();
  process.stderr.write("Building the app. This takes one to three minutes … ");
  rmSync(STAMP_FILE, { force: true });
  const inputs = fingerprint(APP_INPUTS);
  await bundle("server/host/main.ts", "dist/host.mjs");
  await bundle("server/ops/main.ts", "dist/ops.mjs");
  const { code, output } = await runNextBuild();
  if (code !== 0) {
    process.stderr.write(`failed.\n${output}\n`);
    process.exit(code ?? 1);
  }
  await packFiles();
  writeAtomically(STAMP_FILE, inputs);
  process.stderr.write(`done in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.\n`);
}

/** Compresses scripts and styles once, as small as it gets. server/host/answer-requests.ts sends them. */
async function packFiles() {
  const folder = ".next/static";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(?:css|js)$/.test(file),
  );
  const pack = promisify(brotliCompress);
  await Promise.all(
    files.map(async (file) =>
      writeFileSync(`${folder}/${file}.br`, await pack(readFileSync(`${folder}/${file}`))),
    ),
  );
}

function runNextBuild() {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", FORCE_COLOR: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const endBoth = (signal) => {
      child.kill(signal);
      process.exit(1);
    };
    process.once("SIGTERM", endBoth).once("SIGINT", endBoth);
    let output = "";
    const add = (chunk) => {
      output += chunk;
    };
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    child.once("error", (error) => resolve({ code: 1, output: `${output}${error.message}` }));
    child.once("close", (code) => {
      process.off("SIGTERM", endBoth).off("SIGINT", endBoth);
      resolve({ code, output });
    });
  });
}

const SERVER_INPUTS = ["server", "terms", "db", "package.json", "package-lock.json", "tsconfig.json"];
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
  if (!options.always && existsSync(outfile) && readFileSync(outfile, "utf8").startsWith(`${stamp}\n`))
    return;
  const { build, stop } = await import("esbuild");
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
  // The service runs in this process next, and esbuild would keep its own beside it.
  await stop();
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
function writeAtomically(path, contents) {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
