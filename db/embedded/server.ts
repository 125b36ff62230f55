import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster";
import { EmbeddedPostgresError, errorCode, lastError } from "./errors";
import { becomesFree, freePort } from "./free-port";
import { FOLDER_SETTING, servesFolder } from "./processes";
import { runProgram } from "./programs";
import { ensureRole } from "./roles";
import { ownName } from "./server-user";

const LOG_BYTES_MAX = 10 * 1024 * 1024;
/** A busy process that outlived a killed server keeps its shared memory until its statement ends. */
const LEFTOVER_ATTEMPTS_MAX = 60;
const ATTEMPTS_MAX = 3;
const READY_SECONDS_MAX = 120;
const ENDING_MS_MAX = 5000;

/** Adopts this cluster's server if it is up, else starts it. Waits for what a killed server left behind. */
export async function startOrAdopt(cluster: Cluster): Promise<{ port: number; adopted: boolean }> {
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
      // Postgres would believe any living process. It still refuses a folder in use, by its shared memory.
      fs.rmSync(path.join(folder, "postmaster.pid"), { force: true });
      return null;
    }
    if (found.port > 0 && (await ensureRole(cluster, found.port))) return found.port;
    if (performance.now() - begun > READY_SECONDS_MAX * 1000)
      throw new EmbeddedPostgresError(
        `Process ${found.pid} holds ${folder} but is not responding. Stop it, then start again.`,
      );
  }
}

/** Reads the server's pid file, which remains if the server is killed. */
export function readPidFile({ folder }: Cluster): { pid: number; port: number } | null {
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
    return await ensureRole(cluster, port);
  } catch (error) {
    await stopPostgres(cluster);
    throw error;
  }
}

/** Fast shutdown for 10 s, then an immediate one, from which the next start recovers. Stops only our own. */
export async function stopPostgres(cluster: Cluster): Promise<void> {
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

/** Keeps the log below 10 MB, with one older part. Returns its length. */
export function trimLog(file: string): number {
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= LOG_BYTES_MAX) return bytes;
  fs.copyFileSync(file, `${file}.1`);
  fs.truncateSync(file, 0);
  return 0;
}
