import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The host and the CLI. The files that Next needs come from Next's own traces. */
const PROGRAMS = ["dist/host.mjs", "dist/ops.mjs"];
const WHOLE = [
  "package.json",
  "next.config.mjs",
  "LICENSE",
  "db/migrations",
  ".next/static",
  ".next/server",
  // Next loads some of its files by names that tracing cannot find.
  "node_modules/next",
];
/** Used by the bundler or for debugging, never at run time. */
const LEFT_OUT = /\.nft\.json$|^(?:\.next\/server|node_modules)\/.*\.map$/;

/** Self-contained, for `node dist/host.mjs`. It has no embedded Postgres, so it needs DATABASE_URL. */
export async function collect(folder) {
  const base = process.cwd();
  const traced = await trace(PROGRAMS);
  const { files: ofNext } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
  const programs = PROGRAMS.flatMap((program) => [program, `${program}.map`]);
  const files = new Set([...traced, ...ofNext, ...filesOfPages(), ...programs]);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const filter = (source) => !LEFT_OUT.test(relative(base, resolve(source)));
  for (const file of [...files, ...WHOLE]) {
    if (!file.startsWith("..") && existsSync(file) && filter(file))
      cpSync(file, join(folder, file), { recursive: true, verbatimSymlinks: true, filter });
  }
  letOthersRead(folder);
}

export async function trace(programs) {
  // Node does not recognize its exports by name.
  const { default: nft } = await import("next/dist/compiled/@vercel/nft/index.js");
  const base = process.cwd();
  // Two traces run at the same time and must stay below the usual limit of 1,024 open files.
  const options = { base, processCwd: base, mixedModules: true, fileIOConcurrency: 128 };
  // Node resolves the `module-sync` condition from 20.19 on, but not before.
  const traces = [["node"], ["node", "module-sync"]].map((conditions) =>
    nft.nodeFileTrace(programs, { ...options, conditions }),
  );
  return (await Promise.all(traces)).flatMap(({ fileList }) => [...fileList]);
}

/** The service's user may not be the one that built it, whose umask may hide the files. */
function letOthersRead(folder) {
  for (const path of [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) chmodSync(join(folder, path), 0o755);
    else if (stats.isFile()) chmodSync(join(folder, path), 0o644);
  }
}

function filesOfPages() {
  const traces = readdirSync(".next/server", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".nft.json"))
    .map((file) => join(".next/server", file));
  return traces.flatMap((trace) =>
    JSON.parse(readFileSync(trace, "utf8")).files.map((file) =>
      relative(process.cwd(), resolve(dirname(trace), file)),
    ),
  );
}
