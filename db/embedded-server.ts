import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  choosePort,
  ORDINARY_ROLE,
  pidFile,
  readPassword,
  readPidFile,
  type ServerHost,
  SUPERUSER,
  serverEnvironment,
} from "./embedded-cluster";
import { EmbeddedPostgresError } from "./embedded-error";
import { lastLogError, startupError, trimLog } from "./embedded-log";
import { isAlive, type Login, servesFolder, tryLogin } from "./embedded-process";
import { program } from "./embedded-programs";
import { createOrdinaryRole } from "./embedded-roles";
import { endOrphans, stopServer } from "./embedded-stop";
import { reachableName } from "./embedded-user";

const START_ATTEMPTS_MAX = 60;
const READY_MS = 120_000;
const ORPHANS_AFTER_ATTEMPTS = 6;

export interface RunningServer {
  pid: number;
  port: number;
  adopted: boolean;
}

export function urlOf(host: ServerHost, port: number): string {
  return urlAs(host.asSuperuser ? SUPERUSER : ORDINARY_ROLE, host, port);
}

function urlAs(role: string, host: ServerHost, port: number): string {
  return `postgres://${role}:${readPassword(host.paths)}@127.0.0.1:${port}/postgres`;
}

/** Signs in as the ordinary role, which is created if this cluster has been started for the first time. */
async function signIn(host: ServerHost, port: number): Promise<Login> {
  const login = await tryLogin(urlAs(ORDINARY_ROLE, host, port));
  if (login !== "refused") return login;
  return createOrdinaryRole(urlAs(SUPERUSER, host, port), readPassword(host.paths), host.asSuperuser);
}

/**
 * Adopts the server of this cluster if it is up, otherwise starts it (on `port`, if given). Waits for leftovers of a killed
 * server. Call it with the start lock held.
 * @throws EmbeddedPostgresError when Postgres does not come up
 */
export async function startServer(host: ServerHost, port?: number): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(host);
    if (running) return running;
    const chosen = port ?? (await choosePort(host.paths));
    const logStart = trimLog(host.paths.log);
    const pid = await launch(host, chosen);
    if (pid) return { pid, port: chosen, adopted: false };
    const error = lastLogError(host.paths.log, logStart);
    const passing = /lock file .* already exists|shared memory block|in use|starting up|shutting down/i.test(
      error,
    );
    if (attempt >= (passing ? START_ATTEMPTS_MAX : 3)) throw startupError(error, chosen, host.paths.log);
    // Orphans exit once idle, but a busy one keeps the shared memory until it is terminated.
    if (attempt >= ORPHANS_AFTER_ATTEMPTS && passing) endOrphans(host);
    await sleep(250, undefined, { signal: host.signal });
  }
}

/** Waits while a live postmaster comes up. Removes a pid file whose pid now belongs to another process. */
async function findRunning(host: ServerHost): Promise<RunningServer | null> {
  const giveUpAt = Date.now() + READY_MS;
  for (;;) {
    const found = readPidFile(host.paths);
    if (!found) return null;
    if (found.port > 0) {
      const login = await signIn(host, found.port);
      if (login === "ours") return { pid: found.pid, port: found.port, adopted: true };
      if (login === "refused" && servesFolder(found.pid, host.paths.cluster)) throw passwordError(host);
    }
    if (!servesFolder(found.pid, host.paths.cluster)) {
      if (isAlive(found.pid)) fs.rmSync(pidFile(host.paths), { force: true });
      return null;
    }
    if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError(
        `Process ${found.pid} holds ${host.paths.cluster} but is not responding. Stop it, then start again.`,
      );
    }
    await sleep(100, undefined, { signal: host.signal });
  }
}

function passwordError(host: ServerHost): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Postgres rejected the password in ${host.paths.password}. Restore that file from a backup.`,
  );
}

/** Returns the pid of a server that is ready, or null if it exited first. */
async function launch(host: ServerHost, port: number): Promise<number | null> {
  const child = spawnServer(host, port);
  let ended = false;
  child.once("exit", (code) => {
    ended = process.platform !== "win32" || code !== 0;
  });
  child.once("error", (error) => {
    ended = true;
    fs.appendFileSync(host.paths.log, `FATAL:  ${error.message}\n`);
  });
  child.unref();
  for (
    const giveUpAt = Date.now() + READY_MS;
    Date.now() < giveUpAt && !ended && !host.signal.aborted;
    await sleep(20)
  ) {
    const found = readPidFile(host.paths);
    const mine = process.platform === "win32" || found?.pid === child.pid;
    if (!found?.ready || !mine) continue;
    const login = await signIn(host, found.port);
    if (login === "ours") return found.pid;
    if (login === "refused") {
      await stopServer(host, found.pid);
      throw passwordError(host);
    }
  }
  return null;
}

function spawnServer(host: ServerHost, port: number): ChildProcess {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: "128MB",
    max_connections: "100",
    timezone: "UTC",
    log_timezone: "UTC",
    ...host.settings,
  };
  const words = ["-D", reachableName(host.user, host.paths.cluster), "-p", String(port)];
  for (const [name, value] of Object.entries(settings)) words.push("-c", `${name}=${value}`);
  const logFile = fs.openSync(host.paths.log, "a", 0o600);
  // Detached, so that Ctrl-C reaches only the app, which stops Postgres after its last request.
  const options = {
    ...host.user,
    cwd: host.paths.cluster,
    env: serverEnvironment(),
    detached: true,
    windowsHide: true,
  };
  try {
    if (process.platform !== "win32") {
      return spawn(program(host.nativeDir, "postgres"), words, {
        ...options,
        stdio: ["ignore", logFile, logFile],
      });
    }
    // On Windows, pg_ctl drops administrator rights, with which postgres.exe refuses to run.
    const quoted = words.slice(2).map((word) => (word === "" || /\s/.test(word) ? `"${word}"` : word));
    const start = ["start", "-W", "-D", host.paths.cluster, "-l", host.paths.log, "-o", quoted.join(" ")];
    return spawn(program(host.nativeDir, "pg_ctl"), start, { ...options, stdio: "ignore" });
  } finally {
    fs.closeSync(logFile);
  }
}
