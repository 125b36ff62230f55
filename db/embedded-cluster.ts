import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { EmbeddedPostgresError, errorCode } from "./embedded-error";
import { program } from "./embedded-programs";
import { chownTo, reachableName, type ServerUser } from "./embedded-user";
import { bindPort, freePort } from "./free-port";

/** File paths of one embedded Postgres. */
export interface ClusterPaths {
  dataDir: string;
  cluster: string;
  log: string;
  password: string;
  port: string;
  lock: string;
  /** Touched every second by the process that keeps the server up. */
  guard: string;
}

/** Everything needed to start one cluster. */
export interface ServerHost {
  paths: ClusterPaths;
  nativeDir: string;
  user: ServerUser;
  settings: Record<string, string>;
  asSuperuser: boolean;
  log: (line: string) => void;
  /** Aborts a start in progress. */
  signal: AbortSignal;
}

export function clusterPaths(dataDir: string): ClusterPaths {
  const dir = path.resolve(dataDir);
  return {
    dataDir: dir,
    cluster: path.join(dir, "postgres"),
    log: path.join(dir, "postgres.log"),
    password: path.join(dir, "postgres-password"),
    port: path.join(dir, "postgres-port"),
    lock: path.join(dir, "postgres-start.lock"),
    guard: path.join(dir, "postgres-kept-by"),
  };
}

/** Owns the cluster. Its password is removed at the first start, so that nobody can sign in as it (`embedded-roles.ts`). */
export const SUPERUSER = "postgres";
/** Owns the database `postgres`, and is what the service signs in as. */
export const ORDINARY_ROLE = "app";

const PASSED_ON = /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|LD_LIBRARY_PATH|DYLD_\w+)$/i;

/** The environment for Postgres, without libpq's variables, which would redirect it, and without secrets. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C", NODE_ENV: process.env.NODE_ENV };
}

/**
 * Only the owner. When root runs us, Postgres runs as another user: Linux lets it reach its folder through /proc
 * (`reachableName`), elsewhere it must be able to pass through.
 */
export const dataDirMode = () => (process.getuid?.() === 0 && process.platform !== "linux" ? 0o711 : 0o700);

/** @throws EmbeddedPostgresError when DATA_DIR cannot be created or written */
export function prepareDataDir(paths: ClusterPaths): void {
  try {
    fs.mkdirSync(paths.dataDir, { recursive: true, mode: dataDirMode() });
    fs.accessSync(paths.dataDir, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot write to DATA_DIR ${paths.dataDir} (${errorCode(error)}). Set DATA_DIR to a folder that you own.`,
    );
  }
}

/**
 * The password of the role `app`.
 * @throws EmbeddedPostgresError when the file is missing, because it cannot be recovered from the cluster
 */
export function readPassword(paths: ClusterPaths): string {
  try {
    return fs.readFileSync(paths.password, "utf8").trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot read ${paths.password} (${errorCode(error)}), the password file of the embedded Postgres. Restore it from a backup.`,
    );
  }
}

/** Creates the password file atomically, before the cluster. */
function ensurePassword(paths: ClusterPaths): string {
  if (!fs.existsSync(paths.password)) {
    const draft = `${paths.password}.new`;
    fs.writeFileSync(draft, randomBytes(24).toString("base64url"), { mode: 0o600 });
    fs.renameSync(draft, paths.password);
  }
  return readPassword(paths);
}

/** Reuses the port of the last start if it is free, otherwise picks a free one. Remembers it for the next start. */
export async function choosePort(paths: ClusterPaths): Promise<number> {
  const last = fs.existsSync(paths.port) ? Number(fs.readFileSync(paths.port, "utf8")) : 0;
  const isOpen = last >= 1024 && last <= 65_535 && (await bindPort(last)) !== null;
  const port = isOpen ? last : await anyPort();
  fs.writeFileSync(paths.port, `${port}\n`);
  return port;
}

async function anyPort(): Promise<number> {
  try {
    return await freePort();
  } catch (cause) {
    throw new EmbeddedPostgresError(`${(cause as Error).message} Set DATABASE_URL.`);
  }
}

/** Creates the cluster if there is none. Builds it in a sibling folder and renames it, so an incomplete one is never used. */
export async function ensureCluster(
  paths: ClusterPaths,
  nativeDir: string,
  user: ServerUser,
): Promise<boolean> {
  if (fs.existsSync(path.join(paths.cluster, "PG_VERSION"))) {
    if (user.uid !== undefined && fs.statSync(paths.cluster).uid !== user.uid) chownTo(user, paths.cluster);
    return false;
  }
  if (fs.existsSync(paths.cluster) && fs.readdirSync(paths.cluster).length > 0) {
    throw new EmbeddedPostgresError(
      `${paths.cluster} is not a Postgres data folder. Move it away, or set DATA_DIR to another folder.`,
    );
  }
  for (const name of fs.readdirSync(paths.dataDir)) {
    if (name.startsWith("postgres-new-"))
      fs.rmSync(path.join(paths.dataDir, name), { recursive: true, force: true });
  }
  const staging = fs.mkdtempSync(path.join(paths.dataDir, "postgres-new-"));
  try {
    const fresh = path.join(staging, "cluster");
    fs.mkdirSync(fresh, { mode: 0o700 });
    fs.writeFileSync(path.join(staging, "password"), ensurePassword(paths), { mode: 0o600 });
    chownTo(user, staging);
    await runInitdb(program(nativeDir, "initdb"), fresh, user);
    fs.rmSync(paths.cluster, { recursive: true, force: true });
    fs.renameSync(fresh, paths.cluster);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
  return true;
}

function runInitdb(initdb: string, fresh: string, user: ServerUser): Promise<void> {
  const words = [
    "--pgdata",
    reachableName(user, fresh),
    `--username=${SUPERUSER}`,
    "--auth=scram-sha-256",
    "--pwfile=../password",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, words, {
      ...user,
      cwd: fresh,
      env: serverEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
      windowsHide: true,
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
    });
    child.once("error", (error) =>
      reject(new EmbeddedPostgresError(`Could not run initdb: ${error.message}`)),
    );
    child.once("close", (code) => (code === 0 ? resolve() : reject(initdbError(output, code))));
  });
}

function initdbError(output: string, code: number | null): EmbeddedPostgresError {
  if (/no space left|disk quota|could not (extend|write)/i.test(output)) {
    return new EmbeddedPostgresError(
      "The disk of DATA_DIR is full. Free up 100 MB, or set DATA_DIR to another disk.",
    );
  }
  const line =
    output.split("\n").find((each) => /error|fatal/i.test(each)) ?? output.trim().split("\n").at(-1);
  return new EmbeddedPostgresError(
    `initdb failed (status ${code}): ${line?.trim()}. Fix the cause, or set DATABASE_URL.`,
  );
}

export function pidFile(paths: ClusterPaths): string {
  return path.join(paths.cluster, "postmaster.pid");
}

/** Reads the server's pid file, which remains if the server is killed. */
export function readPidFile(paths: ClusterPaths): { pid: number; port: number; ready: boolean } | null {
  try {
    const lines = fs.readFileSync(pidFile(paths), "utf8").split("\n");
    const pid = Number(lines[0]);
    return pid > 1 ? { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === "ready" } : null;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
