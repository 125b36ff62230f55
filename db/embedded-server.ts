import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Cluster,
  type ClusterPaths,
  choosePort,
  ORDINARY_ROLE,
  readPassword,
  readPidFile,
  SUPERUSER,
} from "./embedded-cluster";
import { EmbeddedPostgresError, lastLogError, startupError, trimLog } from "./embedded-errors";
import { isAlive, servesFolder } from "./embedded-process";
import { runProgram } from "./embedded-programs";
import { createOrdinaryRole, type Login, tryLogin } from "./embedded-sessions";
import { reachableName } from "./embedded-user";

const ATTEMPTS_MAX = 3;
/** A busy process that outlived a killed server keeps its shared memory until its statement ends. */
const LEFTOVER_ATTEMPTS_MAX = 60;
const READY_SECONDS_MAX = 120;
const ENDING_MS_MAX = 5000;

export function urlOf(role: string, paths: ClusterPaths, port: number): string {
  return `postgres://${role}:${readPassword(paths)}@127.0.0.1:${port}/postgres`;
}

/**
 * Adopts the server of this cluster if it is up, otherwise starts it. Waits for what a killed server left behind. Call it
 * with the start lock held.
 * @throws EmbeddedPostgresError when Postgres does not come up
 */
export async function startServer(cluster: Cluster): Promise<{ port: number; adopted: boolean }> {
  const { paths } = cluster;
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(cluster);
    if (running) return { port: running, adopted: true };
    const port = await choosePort(paths);
    const logStart = trimLog(paths.log);
    if (await launch(cluster, port)) return { port, adopted: false };
    const error = lastLogError(paths.log, logStart);
    const isPassing = /lock file .* already exists|shared memory block|in use|starting up|shutting down/i;
    if (attempt >= (isPassing.test(error) ? LEFTOVER_ATTEMPTS_MAX : ATTEMPTS_MAX))
      throw startupError(error, port, paths.log);
    await sleep(1000);
  }
}

/** The port of a running server. Waits while it comes up. Removes a pid file whose pid now belongs to another program. */
async function findRunning(cluster: Cluster): Promise<number | null> {
  const { paths } = cluster;
  const giveUpAt = Date.now() + READY_SECONDS_MAX * 1000;
  for (;;) {
    const found = readPidFile(paths);
    if (!found) return null;
    if (!servesFolder(found.pid, paths.cluster)) {
      if (isAlive(found.pid)) fs.rmSync(path.join(paths.cluster, "postmaster.pid"), { force: true });
      return null;
    }
    const login = found.port > 0 ? await signIn(cluster, found.port) : "absent";
    if (login === "ours") return found.port;
    if (login === "refused") throw passwordError(paths);
    if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Process ${found.pid} holds ${paths.cluster} but is not responding. Stop it, then start again.`,
      );
    }
    await sleep(100);
  }
}

/** Signs in as the ordinary role, which is created if this cluster has been started for the first time. */
async function signIn({ paths, asSuperuser }: Cluster, port: number): Promise<Login> {
  const login = await tryLogin(urlOf(ORDINARY_ROLE, paths, port));
  if (login !== "refused") return login;
  return createOrdinaryRole(urlOf(SUPERUSER, paths, port), readPassword(paths), asSuperuser);
}

function passwordError(paths: ClusterPaths): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Postgres rejected the password in ${paths.password}. Restore that file from a backup.`,
  );
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
  };
  const quote = process.platform === "win32" ? '"' : "'";
  const options = Object.entries(settings).map(([name, value]) => `-c ${quote}${name}=${value}${quote}`);
  const logFile = fs.openSync(paths.log, "a", 0o600);
  try {
    const words = ["start", "-w", "-t", String(READY_SECONDS_MAX), "-o", options.join(" ")];
    if (!(await runPgCtl(cluster, words, logFile))) return false;
  } finally {
    fs.closeSync(logFile);
  }
  const login = await signIn(cluster, port);
  if (login !== "refused") return login === "ours";
  await stopServer(cluster);
  throw passwordError(paths);
}

/**
 * Fast shutdown for 10 s, then immediate shutdown, from which the next start recovers. Never stops a server that was started
 * in the meantime.
 * @throws EmbeddedPostgresError when the server is still running
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const { paths } = cluster;
  const pid = readPidFile(paths)?.pid ?? 0;
  const isUp = () => servesFolder(pid, paths.cluster);
  for (const mode of ["fast", "immediate"]) {
    // pg_ctl signals the process in the pid file.
    if (!isUp() || readPidFile(paths)?.pid !== pid) break;
    await runPgCtl(cluster, ["stop", "-m", mode, "-t", "10"]).catch(() => false);
  }
  // After pg_ctl's own answer, the process needs a moment to end.
  for (const begun = performance.now(); isUp() && performance.now() - begun < ENDING_MS_MAX; )
    await sleep(20);
  if (isUp())
    throw new EmbeddedPostgresError(`Postgres (process ${pid}) did not stop. Stop it before the next start.`);
}

async function runPgCtl(cluster: Cluster, words: string[], logFile?: number): Promise<boolean> {
  const { paths, programs, user } = cluster;
  const where = ["-s", "-D", reachableName(user, paths.cluster)];
  const { status } = await runProgram(programs, "pg_ctl", paths.cluster, user, [...words, ...where], logFile);
  return status === 0;
}
