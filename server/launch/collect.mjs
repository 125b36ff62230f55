import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The host and the command line; what a process of Next needs comes from Next's own traces. */
const PROGRAMS = ["dist/host.mjs", "dist/ops.mjs"];
const WHOLE = [
  "package.json",
  "next.config.mjs",
  "LICENSE",
  "db/migrations",
  ".next/static",
  ".next/server",
  // It finds some of its files by names that no trace sees.
  "node_modules/next",
];
/** Read by the bundler, or by whoever looks at the build; never by what serves. */
const LEFT_OUT = /\.nft\.json$|^(?:\.next\/server|node_modules)\/.*\.map$/;

/**
 * Copies the built service, with those files of `node_modules` that it loads, into a folder that runs by itself:
 * `node dist/host.mjs` there. Without the embedded Postgres: it needs DATABASE_URL.
 */
export async function collect(folder) {
  const { nodeFileTrace } = await import("@vercel/nft");
  const base = process.cwd();
  // Two traces at once, below the 1,024 open files that many machines and containers allow.
  const options = { base, processCwd: base, mixedModules: true, fileIOConcurrency: 128 };
  // Node takes `module-sync` files of packages from 20.19 on, and others before.
  const traces = [["node"], ["node", "module-sync"]].map((conditions) =>
    nodeFileTrace(PROGRAMS, { ...options, conditions }),
  );
  const traced = (await Promise.all(traces)).flatMap(({ fileList }) => [...fileList]);
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

/** Who serves is not who built, whose umask may have kept the files to themselves. */
function letOthersRead(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) letOthersRead(path);
    else if (entry.isFile()) chmodSync(path, 0o644);
  }
}

/** What Next found each page and route to need. */
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
