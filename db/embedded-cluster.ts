import { randomBytes, randomInt } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import {
  chownTo,
  EmbeddedPostgresError,
  errorCode,
  ownName,
  runProgram,
  type ServerUser,
} from "./embedded-programs";

/** Outgoing connections use ports from 32,768 up on Linux, and higher ones elsewhere. */
const LOWEST = 20_000;
const OUTGOING_FROM = 32_768;
const ATTEMPTS_MAX = 50;

/** A port on 127.0.0.1 outside the range of outgoing connections, so that it stays free while its server restarts. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = await bindPort(randomInt(LOWEST, OUTGOING_FROM));
    if (port) return port;
  }
  const port = await bindPort(0);
  if (!port) throw new Error("Cannot listen on any TCP port of 127.0.0.1.");
  return port;
}

/** Returns the port, or null if it is in use. 0 means any port. */
export const bindPort = (wanted: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(null));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === "object" ? address.port : null));
    });
  });

export interface ClusterPaths {
  dataDir: string;
  cluster: string;
  log: string;
  password: string;
  port: string;
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
  };
}

/** Owns the cluster. Its password is removed at the first start, so that nobody can sign in as it (`createOrdinaryRole`). */
export const SUPERUSER = "postgres";

/**
 * Only the owner. When root runs us, Postgres runs as another user: Linux lets it reach its folder through /proc (`ownName`),
 * elsewhere it must be able to pass through.
 */
export const dataDirMode = () => (process.getuid?.() === 0 && process.platform !== "linux" ? 0o711 : 0o700);

/**
 * Creates DATA_DIR. Returns its real path, by which a running server is recognized.
 * @throws EmbeddedPostgresError when it cannot be created or written
 */
export function prepareDataDir(dataDir: string): string {
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode: dataDirMode() });
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK);
    return fs.realpathSync(dataDir);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot write to DATA_DIR ${path.resolve(dataDir)} (${errorCode(error)}). Set DATA_DIR to a folder that you own.`,
    );
  }
}

/**
 * The password of the role that the service signs in as.
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
    readPassword(paths);
    return false;
  }
  if (fs.existsSync(paths.cluster) && fs.readdirSync(paths.cluster).length > 0)
    throw new EmbeddedPostgresError(
      `${paths.cluster} is not a Postgres data folder. Move it away, or set DATA_DIR to another folder.`,
    );
  for (const name of fs.readdirSync(paths.dataDir)) {
    if (name.startsWith("postgres-new-"))
      fs.rmSync(path.join(paths.dataDir, name), { recursive: true, force: true });
  }
  if (!fs.statSync(paths.password, { throwIfNoEntry: false })?.size)
    fs.writeFileSync(paths.password, randomBytes(24).toString("base64url"), { mode: 0o600 });
  const staging = fs.mkdtempSync(path.join(paths.dataDir, "postgres-new-"));
  try {
    const fresh = path.join(staging, "cluster");
    fs.mkdirSync(fresh, { mode: 0o700 });
    fs.writeFileSync(path.join(staging, "password"), readPassword(paths), { mode: 0o600 });
    chownTo(user, staging);
    const { status, output } = await runProgram(programs, "initdb", fresh, user, [
      "--pgdata",
      ownName(user, fresh),
      `--username=${SUPERUSER}`,
      "--auth=scram-sha-256",
      "--pwfile=../password",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
    ]);
    if (status !== 0) throw new Error(`initdb: ${lastError(output)}`);
    // Empty, as checked above.
    if (fs.existsSync(paths.cluster)) fs.rmdirSync(paths.cluster);
    fs.renameSync(fresh, paths.cluster);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
  return true;
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

const LOG_BYTES_MAX = 10 * 1024 * 1024;

/** Keeps the log below 10 MB, with one older part. Returns its length. */
export function trimLog(file: string): number {
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= LOG_BYTES_MAX) return bytes;
  fs.copyFileSync(file, `${file}.1`);
  fs.truncateSync(file, 0);
  return 0;
}

/** The errors in what a program printed, or its last lines if there are none. */
export function lastError(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /(FATAL|PANIC|LOG: {2}could not|error: )/.test(line));
  return (errors.length > 0 ? errors : lines.slice(-3))
    .map((line) => line.replace(/^.*?(FATAL|PANIC|LOG|error): */, ""))
    .join("; ");
}

/** Turns what the file system or Postgres reports into one line that says what to do. */
export function explain(error: unknown, { dataDir, log }: ClusterPaths): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error;
  const reason = error.message;
  const told = [
    [
      /ENOSPC|EDQUOT|no space left|disk quota|could not (extend|write)/i,
      `The disk of DATA_DIR ${dataDir} is full (${reason}). Free up space, then start again.`,
    ],
    [
      /EACCES|EPERM|permission denied|wrong ownership/i,
      `A file in DATA_DIR ${dataDir} belongs to another user (${reason}). Start as that user, or set DATA_DIR to another folder.`,
    ],
    [
      /incompatible|was initialized by/i,
      `DATA_DIR was created by another Postgres version (${reason}). Migrate it with pg_dump, or set DATABASE_URL.`,
    ],
  ] as const;
  const message = told.find(([pattern]) => pattern.test(reason))?.[1];
  if (!message && (errorCode(error) || error.name !== "Error")) return error;
  return new EmbeddedPostgresError(message ?? `Postgres did not start (${reason}). See ${log}.`);
}
