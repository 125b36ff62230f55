import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { EmbeddedPostgresError, errorCode, isDiskFull } from "./embedded-errors";
import { runProgram } from "./embedded-programs";
import { chownTo, reachableName, type ServerUser } from "./embedded-user";
import { bindPort, freePort } from "./free-port";

/** File paths of one embedded Postgres. */
export interface ClusterPaths {
  dataDir: string;
  cluster: string;
  log: string;
  password: string;
  port: string;
  /** Touched every second by the processes that use the server. */
  guard: string;
}

export interface Cluster {
  paths: ClusterPaths;
  /** The folder of Postgres' programs. */
  programs: string;
  user: ServerUser;
  settings: Record<string, string>;
  asSuperuser: boolean;
}

export function clusterPaths(dataDir: string): ClusterPaths {
  const dir = path.resolve(dataDir);
  return {
    dataDir: dir,
    cluster: path.join(dir, "postgres"),
    log: path.join(dir, "postgres.log"),
    password: path.join(dir, "postgres-password"),
    port: path.join(dir, "postgres-port"),
    guard: path.join(dir, "postgres-kept-by"),
  };
}

/** Owns the cluster. Its password is removed at the first start, so that nobody can sign in as it (`embedded-sessions.ts`). */
export const SUPERUSER = "postgres";
/** Owns the database `postgres`, and is what the service signs in as. */
export const ORDINARY_ROLE = "app";

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

/** The port of the last start if it is free, otherwise any free one. Remembered for the next start. */
export async function choosePort(paths: ClusterPaths): Promise<number> {
  const last = fs.existsSync(paths.port) ? Number(fs.readFileSync(paths.port, "utf8")) : 0;
  const isOpen = last >= 1024 && last <= 65_535 && (await bindPort(last)) !== null;
  const port = isOpen ? last : await freePort();
  fs.writeFileSync(paths.port, `${port}\n`);
  return port;
}

/** Creates the cluster if there is none. Builds it in a sibling folder and renames it, so an incomplete one is never used. */
export async function ensureCluster({ paths, programs, user }: Cluster): Promise<boolean> {
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
    await runInitdb(programs, fresh, user);
    // Empty, as checked above.
    if (fs.existsSync(paths.cluster)) fs.rmdirSync(paths.cluster);
    fs.renameSync(fresh, paths.cluster);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
  return true;
}

async function runInitdb(programs: string, fresh: string, user: ServerUser): Promise<void> {
  const { status, output } = await runProgram(programs, "initdb", fresh, user, [
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
  ]);
  if (status !== 0) throw initdbError(output, status);
}

function initdbError(output: string, status: number | null): EmbeddedPostgresError {
  if (isDiskFull(output)) {
    return new EmbeddedPostgresError(
      "The disk of DATA_DIR is full. Free up 100 MB, or set DATA_DIR to another disk.",
    );
  }
  const line =
    output.split("\n").find((each) => /error|fatal/i.test(each)) ?? output.trim().split("\n").at(-1);
  return new EmbeddedPostgresError(
    `initdb failed (status ${status}): ${line?.trim()}. Fix the cause, or set DATABASE_URL.`,
  );
}

/** Reads the server's pid file, which remains if the server is killed. */
export function readPidFile({ cluster }: ClusterPaths): { pid: number; port: number } | null {
  try {
    const lines = fs.readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return pid > 1 ? { pid, port: Number(lines[3] ?? 0) } : null;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
