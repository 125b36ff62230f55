import { spawnSync } from "node:child_process";
import fs from "node:fs";
import postgres from "postgres";

const CONNECT_SECONDS = 3;
const SESSION_LOOKS = 3;
const SESSION_LOOK_MS = 100;

/** Whether a process is running. Zombies do not count. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") {
    const stat = linuxStat(pid);
    return stat !== null && stat.state !== "Z" && stat.state !== "X";
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether a pid belongs to a running Postgres. After a reboot or in a container it may be another process. */
export function isPostgres(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false;
  if (process.platform === "linux") return linuxStat(pid)?.name === "postgres";
  if (process.platform === "win32") {
    return (
      spawnSync("tasklist", ["/fi", `PID eq ${pid}`], { encoding: "utf8" }).stdout?.includes(
        "postgres.exe",
      ) ?? true
    );
  }
  return spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" }).stdout.includes(
    "postgres",
  );
}

/** Whether a pid belongs to a Postgres on this folder. Only Linux shows the folder. Elsewhere any Postgres counts. */
export function servesFolder(pid: number, clusterDir: string): boolean {
  if (!isPostgres(pid)) return false;
  return process.platform !== "linux" || worksIn(pid, fs.statSync(clusterDir), true);
}

/** Server processes that outlived a killed postmaster in this folder (found only on Linux). */
export function orphansOf(clusterDir: string): number[] {
  if (process.platform !== "linux") return [];
  const folder = fs.statSync(clusterDir);
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && linuxStat(pid)?.name === "postgres" && worksIn(pid, folder, false));
}

function worksIn(pid: number, folder: fs.Stats, whenUnknown: boolean): boolean {
  try {
    const cwd = fs.statSync(`/proc/${pid}/cwd`);
    return cwd.ino === folder.ino && cwd.dev === folder.dev;
  } catch {
    return whenUnknown;
  }
}

function linuxStat(pid: number): { name: string; state: string } | null {
  try {
    const match = /^\d+ \((.*)\) (\S)/s.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
    return match ? { name: match[1]!, state: match[2]! } : null;
  } catch {
    return null;
  }
}

export type Login = "ours" | "refused" | "absent";

/**
 * Tries to log in. `ours`: the server has our password (SCRAM proves it to us too). `refused`: something else answers.
 * `absent`: nothing is listening (yet).
 */
export async function tryLogin(url: string): Promise<Login> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: CONNECT_SECONDS,
    fetch_types: false,
    onnotice: () => undefined,
  });
  try {
    await sql`select 1`;
    return "ours";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return code.startsWith("28") || code.startsWith("SASL") ? "refused" : "absent";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Whether other clients are connected. Clients that just left do not count. */
export async function hasSessions(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_SECONDS, fetch_types: false });
  try {
    for (let look = 0; look < SESSION_LOOKS; look++) {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (row?.count === 0) return false;
      await new Promise((resolve) => setTimeout(resolve, SESSION_LOOK_MS));
    }
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
