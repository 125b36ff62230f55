import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { EmbeddedPostgresError } from "./embedded-errors";

/** The user that Postgres runs as. Empty unless we are root, which Postgres refuses to run as. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/**
 * When we are root: the owner of an existing cluster, otherwise `postgres`, otherwise `nobody`. Empty if we are not root.
 * @throws EmbeddedPostgresError when none of them exist
 */
export function serverUser(clusterDir: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const owner = fs.statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "nobody"]) {
    const uid = numberOf("-u", name);
    const gid = numberOf("-g", name);
    if (uid && gid) return { uid, gid };
  }
  throw new EmbeddedPostgresError(
    "Postgres cannot run as root, and there is no user `postgres` or `nobody`. Start as another user, or set DATABASE_URL.",
  );
}

function numberOf(flag: string, name: string): number | null {
  const run = spawnSync("id", [flag, name], { encoding: "utf8" });
  return run.status === 0 ? Number(run.stdout) : null;
}

/** Gives a folder and its contents to the server's user. */
export function chownTo(user: ServerUser, dir: string): void {
  if (user.uid === undefined || user.gid === undefined) return;
  fs.lchownSync(dir, user.uid, user.gid);
  if (!fs.lstatSync(dir).isDirectory()) return;
  for (const entry of fs.readdirSync(dir)) chownTo(user, path.join(dir, entry));
}

/**
 * The path by which the server's user can reach `dir` when it starts inside it. Inside a folder closed to that user (a 0700
 * home), the full path fails, but Linux lets a process reach its working directory through /proc.
 */
export function reachableName(user: ServerUser, dir: string): string {
  if (user.uid === undefined) return dir;
  const cd = spawnSync("/bin/sh", ["-c", 'cd "$0"', dir], { ...user, cwd: "/" });
  if (cd.status === 0) return dir;
  if (process.platform === "linux" && fs.existsSync("/proc/self/cwd")) return "/proc/self/cwd";
  throw new EmbeddedPostgresError(
    `User ${user.uid} cannot access ${dir}. Set DATA_DIR to a folder that it can access, or start as another user.`,
  );
}
